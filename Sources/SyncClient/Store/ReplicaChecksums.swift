import Foundation
import GRDB

/// The checksums of a replica's own state and of its edits; the server's digests cover the features only.
enum ReplicaChecksums {
    private static let state = [
        """
        SELECT venue, commits, selection, cursor, revision, digest, language, time_zone, country, published_at, synced_at, summary,
            signed_head, wayfinding
        FROM state
        """,
        "SELECT level, ordinal, digest, since FROM level ORDER BY level",
    ]

    /// Ends a change of the tables `state` and `level`.
    static func writeState(_ db: Database) throws {
        try db.execute(sql: "UPDATE state SET checksum = ?", arguments: [try RowChecksum.of(Self.state, db)])
    }

    static func isStateSound(_ db: Database) throws -> Bool {
        try Data.fetchOne(db, sql: "SELECT checksum FROM state") == RowChecksum.of(Self.state, db)
    }

    /// Ends a change of the table `edit`. An app has few edits, so all of them are written.
    static func writeEdits(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM edit") {
            let checksum = RowChecksum.of(row)
            guard row["checksum"] != checksum.databaseValue else { continue }
            try db.execute(
                sql: "UPDATE edit SET checksum = ? WHERE number = ?",
                arguments: [checksum, row["number"] as DatabaseValue])
        }
    }

    /// The numbers of the edits that are not as they were written.
    static func damagedEdits(_ db: Database) throws -> [Int64] {
        try Row.fetchAll(db, sql: "SELECT * FROM edit").filter { row in
            row["checksum"] != RowChecksum.of(row).databaseValue
        }.map { $0["number"] }
    }
}
