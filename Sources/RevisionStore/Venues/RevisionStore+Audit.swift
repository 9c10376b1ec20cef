import Foundation
import Postgres
package import SyncModel

extension RevisionStore {
    /// Records a change in its transaction: there is no change without an entry, and no entry without its change. Takes no lock that another
    /// transaction waits for.
    static func record(
        _ action: AuditEntry.Action, _ detail: AuditEntry.Detail, of venue: VenueKey? = nil,
        by authorization: Authorization, on connection: Connection
    ) async throws {
        let text = String(decoding: try WireJSON.data(detail), as: UTF8.self)
        _ = try await connection.query(
            """
            INSERT INTO audit_entry (author, author_key, venue, action, detail)
            VALUES (\(authorization.author), \(authorization.key), \(venue?.description), \(action.rawValue), \(text))
            """)
    }

    /// Entries of the audit log, the newest first.
    ///
    /// - Parameters:
    ///   - id: Only entries with a smaller id; nil for the newest.
    ///   - venue: Only changes of this venue.
    package func auditEntries(before id: Int64?, of venue: VenueKey?, limit: Int) async throws -> [AuditEntry] {
        let end: Int64 = id ?? .max
        // Two texts, so that each has an index.
        let ofVenue: Query = if let venue { "venue = \(venue.description) AND" } else { "" }
        let rows = try await self.pool.query(
            """
            SELECT id, recorded_at, author, author_key, venue, action, detail FROM audit_entry
            WHERE \(ofVenue) id < \(end) ORDER BY id DESC LIMIT \(Int64(limit))
            """)
        return try rows.map { row in
            AuditEntry(
                id: try row.decode(0), at: try row.decode(1), author: try row.decode(2),
                authorKey: try row.decode(3, as: KeyID?.self)?.description,
                venue: try row.decode(4, as: String?.self).flatMap(VenueKey.init), action: try row.decode(5),
                detail: try WireJSON.value(
                    AuditEntry.Detail.self, from: Data(try row.decode(6, as: String.self).utf8)))
        }
    }
}
