import Configuration
import Foundation
import Logging
import Postgres
import SyncServer
import SystemPackage

/// The environment, read once.
struct VenueConfiguration: Sendable {
    var databaseURL: String?
    /// Of a replica that revisions are read from.
    var readDatabaseURL: String?
    var adminKey: String?
    var server: String
    var key: String?
    var logLevel: Logger.Level

    /// Reads the environment, then `.env`.
    static func load() async throws -> VenueConfiguration {
        let secrets = SecretsSpecifier<String, String>.specific([
            "VENUE_DATABASE_URL", "VENUE_READ_DATABASE_URL", "VENUE_ADMIN_KEY", "VENUE_KEY",
        ])
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(secretsSpecifier: secrets),
            try await EnvironmentVariablesProvider(
                environmentFilePath: ".env", allowMissing: true, secretsSpecifier: secrets),
        ]).scoped(to: "venue")
        return VenueConfiguration(
            databaseURL: reader.string(forKey: "database.url", isSecret: true),
            readDatabaseURL: reader.string(forKey: "read.database.url", isSecret: true),
            adminKey: reader.string(forKey: "admin.key", isSecret: true),
            server: reader.string(forKey: "server", default: "http://127.0.0.1:8080"),
            key: reader.string(forKey: "key", isSecret: true),
            logLevel: reader.string(forKey: "log.level").flatMap(Logger.Level.init(rawValue:)) ?? .notice)
    }

    func database() throws -> ConnectionConfiguration {
        guard let databaseURL else {
            throw Failure(.usage, "VENUE_DATABASE_URL is not set; “venue up” works without it")
        }
        return ConnectionConfiguration(url: databaseURL)
    }

    func replica() -> ConnectionConfiguration? {
        self.readDatabaseURL.map { ConnectionConfiguration(url: $0) }
    }

    func logger() -> Logger {
        var logger = Logger(label: "venue")
        logger.logLevel = self.logLevel
        return logger
    }
}
