import GRDB

/// When SQLite copies its log, the file with the suffix `-wal`, into the file of a replica.
///
/// Usually this is part of the commit that makes the log longer than 1 000 pages, and only then is the log synced to the disk. A first
/// download is such a commit, and its caller would wait until all features are written twice. Therefore its commit syncs the log, so
/// that it is as durable, and the log is copied after the call has returned. If the process is killed in between, the next one reads the
/// log.
enum ReplicaCheckpoint {
    /// The largest log that is kept for the next commits, in bytes.
    static let logSizeLimit = 1 << 24

    /// For a transaction that begins afterwards.
    static func postpone(_ db: Database) throws {
        try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
    }

    /// Ends ``postpone(_:)``. The transaction has ended.
    static func resume(_ db: Database) {
        try? db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000")
    }

    /// Copies the log and shortens it. It waits for no reader: what one still needs is copied by a later commit.
    static func run(_ db: Database) {
        // The connection may have been closed meanwhile, and this is no statement, which would fail.
        guard db.sqliteConnection != nil else { return }
        _ = try? db.checkpoint(.passive)
        // A commit after a complete copy begins the log anew and cuts it off; this one writes the header of the file again. An empty log
        // would be shorter, but a process that opens the file then has to write, and may not be able to while another one does.
        try? db.execute(
            sql: "PRAGMA journal_size_limit = 0; PRAGMA application_id = \(ReplicaSchema.applicationID)")
        try? db.execute(sql: "PRAGMA journal_size_limit = \(Self.logSizeLimit)")
    }
}
