public import Foundation
import GRDB
public import SyncModel

/// The file of a replica, for reading without a server.
///
/// Any number of readers in any number of processes may read while one writes. Each of them sees complete revisions only.
public final class ReplicaStore: Sendable {
    let pool: DatabasePool
    /// Held while a transaction is open on the connection that writes.
    let transactionMutex = AsyncMutex()
    let editObservers = EditObservers()

    private init(pool: DatabasePool) {
        self.pool = pool
    }

    /// Opens a replica's file.
    ///
    /// - Parameters:
    ///   - file: SQLite keeps two more files beside it, with the suffixes `-wal` and `-shm`.
    ///   - venue: Creates the file for this venue if it does not exist. Nil: the file has to exist.
    /// - Throws: ``ReplicaFileError``.
    @concurrent public static func open(_ file: URL, for venue: VenueKey? = nil) async throws -> ReplicaStore {
        let isThere = FileManager.default.fileExists(atPath: file.path)
        guard isThere || venue != nil else { throw ReplicaFileError.missing(file.path) }
        do {
            if isThere {
                try Self.probe(
                    file, applicationID: ReplicaSchema.applicationID, migrator: ReplicaSchema.migrator,
                    mayBeEmpty: venue != nil)
            }
            let pool = try DatabasePool(path: file.path, configuration: Self.configuration(isNew: !isThere))
            try ReplicaSchema.migrator.migrate(pool)
            // An existing file is only read here: another process may hold the write lock for as long as a download takes.
            let known = try await pool.read { db in try String.fetchOne(db, sql: "SELECT venue FROM state") }
            if let known, let venue, known != venue.description { throw ReplicaFileError.otherVenue(known) }
            if known == nil {
                guard let venue else { throw ReplicaFileError.notAReplica(file.path) }
                try await pool.write { db in
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO state (one, venue) VALUES (1, ?)", arguments: [venue.description])
                    let known = try String.fetchOne(db, sql: "SELECT venue FROM state") ?? ""
                    guard known == venue.description else { throw ReplicaFileError.otherVenue(known) }
                }
            }
            return ReplicaStore(pool: pool)
        } catch let error as DatabaseError {
            throw ReplicaFileError(error, file)
        }
    }

    /// Checks that a file is a replica without changing it, because it may be another program's.
    static func probe(
        _ file: URL, applicationID: Int32, migrator: DatabaseMigrator, mayBeEmpty: Bool
    ) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { db in
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            if tables == 0, mayBeEmpty { return }
            guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
                throw ReplicaFileError.notAReplica(file.path)
            }
            guard try !migrator.hasBeenSuperseded(db) else {
                throw ReplicaFileError.newerSchema(file.path)
            }
        }
    }

    static func configuration(isNew: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "VenueSync"
        configuration.busyMode = .timeout(10)
        // One transaction stays open while the pages of a change set arrive; see ReplicaStore+Writing.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -16384")
            guard !db.configuration.readonly else { return }
            if isNew {
                // A feature has some 500 bytes: a page of 4 KiB would stay empty by a quarter of one, and each is logged by itself.
                try db.execute(sql: "PRAGMA page_size = 16384")
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            try db.execute(sql: "PRAGMA journal_size_limit = \(ReplicaCheckpoint.logSizeLimit)")
        }
        return configuration
    }

    /// Reads in one snapshot: everything that the closure reads belongs to one revision.
    ///
    /// - Throws: What the closure throws, or ``SyncError/file(_:)``.
    public func read<Answer: Sendable>(
        _ body: @escaping @Sendable (ReplicaReader) throws -> Answer
    ) async throws -> Answer {
        try await Self.translatingErrors { try await self.pool.read { try body(ReplicaReader(db: $0)) } }
    }

    /// ``ReplicaState/syncedAt``, read at once.
    var lastSync: Date? {
        try? self.pool.read { try ReplicaReader(db: $0).state().syncedAt }
    }

    /// Closes the file. Later calls fail.
    public func close() throws {
        self.editObservers.close()
        try self.pool.close()
    }

    /// Throws SQLite's errors as ``SyncError``.
    static func translatingErrors<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_FULL: throw SyncError.diskFull
            case .SQLITE_BUSY: throw SyncError.busy
            default: throw SyncError.file(error.message ?? "\(error.resultCode)")
            }
        }
    }
}

/// Why a file cannot be opened as a replica.
public enum ReplicaFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not exist.
    case missing(String)
    /// The file is not a SQLite database, or another program's. It was not changed.
    case notAReplica(String)
    /// A newer version of this module wrote the file. It was not changed.
    case newerSchema(String)
    /// The file belongs to another venue.
    case otherVenue(String)
    /// The file cannot be read or written; with SQLite's message.
    case unusable(String, String)

    init(_ error: DatabaseError, _ file: URL) {
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .notAReplica(file.path)
        default: self = .unusable(file.path, error.message ?? "\(error.resultCode)")
        }
    }

    public var description: String {
        switch self {
        case .missing(let file): "there is no file \(file)"
        case .notAReplica(let file): "\(file) is not a replica"
        case .newerSchema(let file): "\(file) was written by a newer version of this program"
        case .otherVenue(let venue): "the file holds the venue \(venue)"
        case .unusable(let file, let message): "\(file) cannot be used: \(message)"
        }
    }
}
