public import Foundation
import GRDB
public import SyncModel
import Synchronization

/// The file of a replica, for reading without a server.
///
/// Any number of readers in any number of processes may read while one writes. Each of them sees complete revisions only.
public final class ReplicaStore: Sendable {
    /// The open file; see ``repairing(_:)``.
    let opened: Mutex<OpenedReplica>
    /// The venue of a file that may be written; nil: it was opened for reading only.
    let venue: VenueKey?
    /// Held while a damaged file is opened again.
    let repairMutex = AsyncMutex()
    /// Held while a transaction is open on the connection that writes.
    let transactionMutex = AsyncMutex()
    let editObservers = EditObservers()
    let routes = PreparedRoutes()

    private init(pool: DatabasePool, venue: VenueKey? = nil) {
        self.opened = Mutex(OpenedReplica(pool))
        self.venue = venue
    }

    var pool: DatabasePool { self.opened.withLock { $0.pool } }

    /// Opens a replica's file for reading only, such as in an app extension. The file is verified, and never written, migrated or created.
    ///
    /// - Parameter file: SQLite keeps two more files beside it, with the suffixes `-wal` and `-shm`.
    /// - Throws: ``ReplicaFileError``.
    /// - Complexity: Reads the whole file.
    @concurrent public static func open(_ file: URL) async throws -> ReplicaStore {
        let file = ReplicaSchema.file(file)
        guard file.exists else { throw ReplicaFileError.missing(file.path) }
        do {
            return try file.translatingErrors {
                var configuration = Self.configuration(isNew: false)
                configuration.readonly = true
                let pool = try DatabasePool(path: file.path, configuration: configuration)
                try pool.read { db in
                    try file.probe(db, mayBeEmpty: false)
                    guard try ReplicaSchema.migrator.hasCompletedMigrations(db) else {
                        throw ReplicaFileError.olderSchema(file.path)
                    }
                    let damage = try ReplicaDamage(ReplicaReader(db: db))
                    if let level = damage.levels.first {
                        throw ReplicaFile.Damaged(reason: "\(SyncError.wrongDigest(level: level))")
                    }
                    guard try ReplicaReader(db: db).venue() != nil else { throw ReplicaFileError.missing(file.path) }
                }
                return ReplicaStore(pool: pool)
            }
        } catch let damage as ReplicaFile.Damaged {
            throw ReplicaFileError.damaged(file.path, damage.reason)
        }
    }

    /// Opens a replica's file for reading and writing, or creates it.
    ///
    /// The file is verified. What is damaged of it is not read: damaged levels are deleted, and if nothing can be relied on, a new file
    /// takes the place of the damaged one, with its selection and its edits as far as they can be read. The next synchronization fetches
    /// what is missing; until then ``ReplicaState/isDamaged`` is true. If SQLite finds the file damaged later, it is opened again in this way.
    ///
    /// - Parameters:
    ///   - file: SQLite keeps two more files beside it, with the suffixes `-wal` and `-shm`.
    ///   - venue: The venue of the file.
    /// - Throws: ``ReplicaFileError``.
    /// - Complexity: Reads the whole file.
    @concurrent public static func open(_ file: URL, for venue: VenueKey) async throws -> ReplicaStore {
        ReplicaStore(pool: try Self.pool(of: ReplicaSchema.file(file), for: venue), venue: venue)
    }

    /// Opens, verifies and repairs a file.
    static func pool(of file: ReplicaFile, for venue: VenueKey) throws -> DatabasePool {
        try file.open { pool in
            // An undamaged file is only read: another process may hold the write lock for as long as a download takes.
            let (known, damage) = try pool.read { db in
                let damage = try ReplicaDamage(ReplicaReader(db: db))
                return (try ReplicaReader(db: db).venue(), damage)
            }
            if let known, known != venue.description { throw ReplicaFileError.otherVenue(known) }
            if known == nil { try pool.write { db in try Self.begin(venue, db) } }
            // Another process may have written since.
            if !damage.isEmpty { try pool.write { db in try ReplicaDamage(ReplicaReader(db: db)).remove(db) } }
        } replacing: {
            let salvage = ReplicaSalvage(file)
            return { db in try salvage.write(for: venue, db) }
        }
    }

    private static func begin(_ venue: VenueKey, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO state (one, venue) VALUES (1, ?)", arguments: [venue.description])
        if db.changesCount > 0 { try ReplicaChecksums.writeState(db) }
        let known = try ReplicaReader(db: db).venue() ?? ""
        guard known == venue.description else { throw ReplicaFileError.otherVenue(known) }
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

    /// Reads in one snapshot: everything that the closure reads belongs to one revision. The closure runs a second time if the file turns out
    /// to be damaged.
    ///
    /// - Throws: What the closure throws, or ``SyncError/file(_:)``.
    public func read<Answer: Sendable>(
        _ body: @escaping @Sendable (ReplicaReader) throws -> Answer
    ) async throws -> Answer {
        try await self.repairing { pool in try await pool.read { try body(ReplicaReader(db: $0)) } }
    }

    /// The state, read at once; nil if it cannot be read.
    var currentState: ReplicaState? {
        try? self.pool.read { try ReplicaReader(db: $0).state() }
    }

    /// Closes the file. Later calls fail.
    public func close() throws {
        self.editObservers.close()
        let pool = self.opened.withLock { opened in
            opened.isClosed = true
            return opened.pool
        }
        try pool.close()
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
        } catch ReplicaFileError.diskFull {
            throw SyncError.diskFull
        } catch let error as ReplicaFileError {
            throw SyncError.file(error.description)
        }
    }
}

/// Why a file cannot be opened as a replica.
public enum ReplicaFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not exist, or is empty.
    case missing(String)
    /// The file is not a SQLite database, or another program's. It was not changed. Choose another path, or delete the file. A file of zeros
    /// is a damaged one.
    case notAReplica(String)
    /// A newer version of this module wrote the file. It was not changed.
    case newerSchema(String)
    /// An older version of this module wrote the file, and it was opened for reading only. ``ReplicaStore/open(_:for:)`` migrates it.
    case olderSchema(String)
    /// The content is damaged; with the reason. ``ReplicaStore/open(_:for:)`` repairs it.
    case damaged(String, String)
    /// The file belongs to another venue.
    case otherVenue(String)
    /// The disk has no space for the file, or for the files that SQLite keeps beside it. Open it again when there is some.
    case diskFull(String)
    /// The file cannot be read or written; with SQLite's message.
    case unusable(String, String)

    public var description: String {
        switch self {
        case .missing(let file): "there is no file \(file)"
        case .notAReplica(let file):
            "\(file) is not a replica but another file, and was not changed: choose another path, or delete the file"
        case .newerSchema(let file): "\(file) was written by a newer version of this program"
        case .olderSchema(let file): "\(file) was written by an older version of this program and was not migrated yet"
        case .damaged(let file, let reason): "\(file) is damaged: \(reason)"
        case .otherVenue(let venue): "the file holds the venue \(venue)"
        case .diskFull(let file): "the disk of \(file) is full: free some space, and open the file again"
        case .unusable(let file, let message): "\(file) cannot be used: \(message)"
        }
    }
}
