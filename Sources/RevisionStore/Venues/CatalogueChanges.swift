import Postgres
package import SyncModel

/// Changes of venues and keys after a change number, for the read model of a node.
package struct CatalogueChanges: Sendable {
    /// The number of the last change that is included.
    package let number: Int64
    /// The number of the last change of a key.
    package let keyChangeNumber: Int64
    /// The catalogue position of the newest revision.
    package let position: Int64
    /// The hash chain at that position.
    let chainHash: [UInt8]
    /// Authenticates cursors.
    let cursorSecret: [UInt8]
    package let venues: [Change]
    /// Identifies the files of the tables, which are others when a table was recreated, truncated or rewritten.
    package let tableFiles: String
    /// The lineage of the database as it is stored; a replica of the same history has the same text.
    package let lineage: String
    /// Checksums of all venues and of all keys; nil unless requested.
    package let checksums: Checksums?

    /// The current state of a venue that changed.
    package struct Change: Sendable {
        package let venue: VenueRecord
        package let isDeleted: Bool
        /// The checksum of the columns that a node keeps.
        package let checksum: Int64
    }

    package struct Checksums: Sendable, Hashable {
        /// Checksums of rows, combined by exclusive or: independent of the order, and a row can be removed again.
        package var venues: Int64
        package var keys: Int64

        package init(venues: Int64, keys: Int64) {
            self.venues = venues
            self.keys = keys
        }
    }

    /// Whether these changes continue what was known up to `number`; -1 stands for nothing.
    ///
    /// They do not if the numbers decrease, as those of an older copy of the database do, or if they leap: when the epochs are
    /// renewed because the database is another copy, the numbers of the other history are left far behind.
    package func continues(from number: Int64) -> Bool {
        number < 0 || (number <= self.number && number / Self.leap == self.number / Self.leap)
    }

    /// More changes than any history has.
    static let leap: Int64 = 1 << 32
}

/// How far a server has come, and in which history.
package struct HistoryPosition: Sendable, Hashable {
    /// The number of the last change that is visible here; on a replica it may be lower than on the primary.
    package let changeNumber: Int64
    /// The newest revision, with the hash chain up to it.
    package let checkpoint: CatalogueCursor.Checkpoint
    /// See ``CatalogueChanges/lineage``.
    package let lineage: String
}

extension RevisionStore {
    /// How far this server has come, and in which history.
    package func historyPosition() async throws -> HistoryPosition {
        let rows = try await self.pool.query(
            "SELECT change_number, position, chain_hash, \(Self.lineageText) FROM catalogue")
        guard let row = rows.first else { throw StoreError.incompleteDatabase }
        return HistoryPosition(
            changeNumber: try row.decode(0),
            checkpoint: .init(position: try row.decode(1), chainHash: try row.decode(2, as: Bytes.self).bytes),
            lineage: try row.decode(3, as: String?.self) ?? "")
    }

    /// The number of the last change that is visible here.
    package func changeNumber() async throws -> Int64 {
        try await self.pool.query("SELECT change_number FROM catalogue").decode(Int64.self).first ?? -1
    }

    /// Numbers a change of a venue and notifies the nodes. This is the last statement before COMMIT: the venue's row is locked by
    /// now, and here the catalogue's row is locked, for which every publication waits.
    static func recordChange(of venue: Int64, on connection: Connection) async throws {
        _ = try await connection.pipeline([
            """
            WITH catalogue AS (UPDATE catalogue SET change_number = change_number + 1 RETURNING change_number)
            UPDATE venue SET change_number = catalogue.change_number FROM catalogue WHERE id = \(venue)
            """,
            "SELECT pg_notify(\(Channel.change), '')::text",
        ])
    }

    /// Numbers a change of a key and notifies the nodes.
    static func recordKeyChange(on connection: Connection) async throws {
        _ = try await connection.pipeline([
            "UPDATE catalogue SET change_number = change_number + 1, key_change_number = change_number + 1",
            "SELECT pg_notify(\(Channel.change), '')::text",
        ])
    }
}
