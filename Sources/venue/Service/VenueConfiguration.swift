import ArchiveStore
import Configuration
import Foundation
import IMDFArchive
import Logging
import Postgres
import RevisionPlanning
import RevisionStore
import SyncServer
import SystemPackage

/// The settings of the program, read once from the environment.
struct VenueConfiguration: Sendable {
    var databaseURL: String?
    /// The URL of a read replica.
    var readDatabaseURL: String?
    var adminKey: String?
    var server: String
    var key: String?
    var logLevel: Logger.Level
    var logsJSON: Bool
    /// Limits and allowed origins of the server.
    var access: AccessConfiguration
    var archiveLimits: ArchiveLimits
    /// Where the server finds the console's files.
    var console = ConsoleSettings()
    /// The fonts for the labels of tiles; nil for those that are installed.
    var tileFonts: [String]?
    /// The file with the keys that sign revisions; nil to sign nothing.
    var signingKeys: String?
    /// Where archives are stored; nil for the database.
    var archiveStore: ArchiveStoreConfiguration?
    /// The file `zone1970.tab`, if it is not that of the system.
    var timeZoneFile: String?

    /// Reads the environment first, then the file `.env`.
    private static func reader() async throws -> ConfigReader {
        let secrets = SecretsSpecifier<String, String>.specific(
            ArchiveStoreConfiguration.secrets.union([
                "VENUE_DATABASE_URL", "VENUE_READ_DATABASE_URL", "VENUE_ADMIN_KEY", "VENUE_KEY",
            ]))
        return ConfigReader(providers: [
            EnvironmentVariablesProvider(secretsSpecifier: secrets),
            try await EnvironmentVariablesProvider(
                environmentFilePath: ".env", allowMissing: true, secretsSpecifier: secrets),
        ]).scoped(to: "venue")
    }

    /// Reads only the limits of archives, so that offline commands do not fail because of other invalid settings.
    static func archiveLimits() async throws -> ArchiveLimits { try ArchiveLimits(await Self.reader()) }

    static func load() async throws -> VenueConfiguration {
        let reader = try await Self.reader()
        // An empty value counts as not set.
        let format = reader.string(forKey: "log.format").flatMap { $0.isEmpty ? nil : $0 } ?? "text"
        guard ["text", "json"].contains(format) else {
            throw Failure(.usage, "VENUE_LOG_FORMAT must be text or json, not “\(format)”")
        }
        let level = reader.string(forKey: "log.level").flatMap { $0.isEmpty ? nil : $0 } ?? "notice"
        guard let logLevel = Logger.Level(rawValue: level.lowercased()) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "VENUE_LOG_LEVEL must be one of \(levels), not “\(level)”")
        }
        return VenueConfiguration(
            databaseURL: reader.string(forKey: "database.url", isSecret: true),
            readDatabaseURL: reader.string(forKey: "read.database.url", isSecret: true),
            adminKey: reader.string(forKey: "admin.key", isSecret: true).flatMap { $0.isEmpty ? nil : $0 },
            server: reader.string(forKey: "server").flatMap { $0.isEmpty ? nil : $0 } ?? "http://127.0.0.1:8080",
            key: reader.string(forKey: "key", isSecret: true).flatMap { $0.isEmpty ? nil : $0 },
            logLevel: logLevel, logsJSON: format == "json", access: try AccessConfiguration(reader),
            archiveLimits: try ArchiveLimits(reader), console: try ConsoleSettings(reader),
            tileFonts: try Self.tileFonts(reader),
            signingKeys: reader.string(forKey: "signing.keys").flatMap { $0.isEmpty ? nil : $0 },
            archiveStore: try ArchiveStoreConfiguration(reader),
            timeZoneFile: reader.string(forKey: "time.zones").flatMap { $0.isEmpty ? nil : $0 })
    }

    /// - Throws: ``Failure`` for a file that does not exist. Otherwise labels would be missing without an error.
    private static func tileFonts(_ reader: ConfigReader) throws -> [String]? {
        guard let text = reader.string(forKey: "tile.fonts"), !text.isEmpty else { return nil }
        let files = text.split(separator: ":").map(String.init)
        if let missing = files.first(where: { !FileManager.default.isReadableFile(atPath: $0) }) {
            throw Failure(.usage, "VENUE_TILE_FONTS must be font files, but “\(missing)” cannot be read")
        }
        return files
    }

    private static let shortestAdminKey = 12

    /// Refuses an administrator's key that can be guessed, or that no request can contain.
    func checkAdminKey() throws {
        guard let adminKey else { return }
        guard adminKey.utf8.count >= Self.shortestAdminKey else {
            throw Failure(
                .usage,
                "VENUE_ADMIN_KEY has \(Terminal.count(adminKey.utf8.count, "byte")), and needs at least \(Self.shortestAdminKey): whoever "
                    + "guesses it can change every venue. To create one: openssl rand -hex 24")
        }
        let isPrintable = adminKey.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPrintable, !adminKey.hasPrefix(" "), !adminKey.hasSuffix(" ") else {
            throw Failure(
                .usage,
                "VENUE_ADMIN_KEY has a control character, or a space at one of its ends, which no request can contain")
        }
    }

    func database() throws -> ConnectionConfiguration {
        guard let databaseURL else {
            throw Failure(.usage, "VENUE_DATABASE_URL is not set; “venue up” works without it")
        }
        return ConnectionConfiguration(url: databaseURL)
    }

    /// From which workers propose the time zone of a venue; nil if the system has no table.
    func timeZones() throws -> TimeZoneTable? {
        guard let timeZoneFile else { return TimeZoneTable.system() }
        guard let table = TimeZoneTable(file: URL(filePath: timeZoneFile)) else {
            throw Failure(.usage, "VENUE_TIME_ZONES must be a file such as zone1970.tab, not “\(timeZoneFile)”")
        }
        return table
    }

    /// The keys with which this process signs what it publishes; nil if none are configured.
    func signing() throws -> SigningKeys? {
        guard let signingKeys else { return nil }
        let keys = try SigningKeyFile(path: signingKeys).load()
        guard keys.signerID != nil else {
            throw Failure(
                .usage,
                "VENUE_SIGNING_KEYS: “\(signingKeys)” has no key that signs. To create one: venue signing-keys create")
        }
        return keys
    }

    /// Where this process stores archives; nil for the database.
    func archives() throws -> (any ArchiveStore)? {
        try self.archiveStore?.store(largestArchive: Int64(self.archiveLimits.archiveBytes))
    }

    func replica() -> ConnectionConfiguration? {
        self.readDatabaseURL.map { ConnectionConfiguration(url: $0) }
    }

    func logger() -> Logger {
        var logger =
            self.logsJSON ? Logger(label: "venue", factory: { _ in JSONLogHandler() }) : Logger(label: "venue")
        logger.logLevel = self.logLevel
        return logger
    }

    /// The settings of the server for this address.
    func serverSettings(host: String, port: Int, adminKey: String?) -> ServerSettings {
        var settings = ServerSettings(
            host: host, port: port, adminKey: adminKey.map { KeyHash(of: $0) },
            maxArchiveBytes: Int64(self.archiveLimits.archiveBytes))
        settings.origins = self.access.origins
        settings.rateLimit = self.access.rateLimit
        settings.queueLimits = self.access.queueLimits
        settings.proxies = self.access.proxies
        settings.publicAddress = self.access.publicAddress
        settings.console = self.console
        settings.tileFonts = self.tileFonts
        settings.maxConnections = OpenFiles.connections(requested: self.access.connections)
        return settings
    }
}
