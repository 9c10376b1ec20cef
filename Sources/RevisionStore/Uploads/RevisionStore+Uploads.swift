import Foundation
package import IMDF
import Postgres
package import SyncModel

extension RevisionStore {
    /// Puts a received archive into its venue's queue. From here on it is not lost.
    ///
    /// The same bytes for the same venue with the same options while an upload of them is unfinished answer with *that* upload.
    ///
    /// - Returns: The upload's id, and whether it is a new one.
    /// - Throws: `unknownVenue` when there is no such venue and the request does not make one, `unknownRevision` when the venue
    ///   has not come to the request's base.
    package func enqueue(_ request: UploadRequest) async throws -> (id: FeatureID, isNew: Bool) {
        let options = String(decoding: try WireJSON.data(request.options), as: UTF8.self)
        return try await self.pool.transaction { connection in
            let venue = try await Self.venueForUpload(request, on: connection)
            if let base = request.options.base, base > venue.head { throw StoreError.unknownRevision(base) }
            // Uploads of one venue take their places one after the other, so that a place once told is never overtaken.
            _ = try await connection.query("SELECT pg_advisory_xact_lock(\(venue.id))::text")
            let archive = try await Self.settle(request.archive, on: connection)
            let same = try await connection.query(
                """
                SELECT id FROM upload
                WHERE venue_id = \(venue.id) AND archive_id = \(archive) AND options = \(options)::jsonb
                    AND state IN ('received', 'processing', 'staged')
                ORDER BY place LIMIT 1 FOR SHARE
                """  // one that is being discarded just now is looked at again, and is none of them then
            ).decode(FeatureID.self)
            if let id = same.first { return (id, false) }
            let id = FeatureID.random()
            _ = try await connection.pipeline([
                """
                INSERT INTO upload (id, venue_id, created_venue, archive_id, options, author, message, publish_at)
                VALUES (\(id), \(venue.id), \(venue.isNew), \(archive), \(options)::jsonb, \(request.author),
                    \(request.message), \(request.options.time))
                """,
                "SELECT pg_notify(\(Channel.upload), \(id.description))::text",
            ])
            if venue.isNew { try await Self.tellNews(of: venue.id, on: connection) }
            return (id, true)
        }
    }

    /// The venue of an upload, made or revived where the request says so.
    private static func venueForUpload(
        _ request: UploadRequest, on connection: Connection
    ) async throws -> (id: Int64, head: Int64, isNew: Bool) {
        let key = request.venue.description
        if request.createsVenue {
            let made = try await connection.query(
                """
                INSERT INTO venue (key, epoch) VALUES (\(key), \(Int64.random(in: .min ... .max)))
                ON CONFLICT (key) DO UPDATE SET deleted_at = NULL, epoch = EXCLUDED.epoch, public = false,
                    validation = 'report', identity = 'repair', removal_guard = true, time_zone = NULL,
                    keep_revisions = NULL, first_revision = 1, created_at = now()
                WHERE venue.deleted_at IS NOT NULL
                RETURNING id
                """
            ).decode(Int64.self)
            if let id = made.first { return (id, 0, true) }
        }
        let known = try await connection.query(
            "SELECT id, head FROM venue WHERE key = \(key) AND deleted_at IS NULL"
        ).decode((Int64, Int64).self)
        guard let venue = known.first else { throw StoreError.unknownVenue }
        return (venue.0, venue.1, false)
    }

    /// Gives the archive its address; the same bytes are kept once, and again when they were swept.
    private static func settle(_ archive: StoredArchive, on connection: Connection) async throws -> Int64 {
        // Two senders of the same new bytes: the second waits here and then finds the first one's.
        _ = try await connection.query(
            "SELECT pg_advisory_xact_lock(\(Int64(bitPattern: archive.digest.prefix)))::text")
        // The row is locked until the upload stands in the queue: a sweep then finds it needed.
        let known = try await connection.query(
            "SELECT id, stored FROM archive WHERE sha256 = \(archive.digest) FOR UPDATE"
        ).decode((Int64, Bool).self)
        if let (id, isStored) = known.first {
            guard id != archive.id else { return id }
            if !isStored {
                let results = try await connection.pipeline([
                    "UPDATE archive_chunk SET archive_id = \(id) WHERE archive_id = \(archive.id)",
                    "UPDATE archive SET stored = true WHERE id = \(id)",
                ])
                guard results[0].affected > 0 else { throw StoreError.unknownArchive }
            }
            _ = try await connection.query("DELETE FROM archive WHERE id = \(archive.id)")
            return id
        }
        let named = try await connection.query(
            "UPDATE archive SET sha256 = \(archive.digest), bytes = \(archive.bytes) WHERE id = \(archive.id)")
        guard named.affected == 1 else { throw StoreError.unknownArchive }
        return archive.id
    }

    package func upload(_ id: FeatureID) async throws -> Upload {
        let rows = try await self.pool.query("\(Self.uploads) WHERE upload.id = \(id)")
        guard let row = rows.first else { throw StoreError.unknownUpload }
        return try Self.upload(of: row)
    }

    /// A venue's uploads, the newest first.
    package func uploads(of venue: VenueKey, state: Upload.State?, limit: Int) async throws -> [Upload] {
        try await self.pool.query(
            """
            \(Self.uploads) WHERE venue.key = \(venue.description)
                AND (\(state?.rawValue)::text IS NULL OR upload.state = \(state?.rawValue))
            ORDER BY upload.place DESC LIMIT \(Int64(limit))
            """
        ).map(Self.upload(of:))
    }

    private static let uploads: Query = """
        SELECT upload.id, venue.key, upload.created_venue, upload.state, upload.reasons, upload.message, upload.author,
            archive.sha256, archive.bytes, upload.base, upload.revision, upload.publish_at, upload.attempts, upload.phase,
            upload.done, upload.total, upload.findings_complete, upload.severity_counts::text, upload.identity::text,
            upload.changes::text, upload.failure, upload.received_at, upload.finished_at, upload.published_by
        FROM upload JOIN venue ON venue.id = upload.venue_id JOIN archive ON archive.id = upload.archive_id
        """

    private static func upload(of row: Row) throws -> Upload {
        let severities = try Self.json(row.decode(17, as: String.self), as: [String: Int].self)
        guard let venue = VenueKey(try row.decode(1, as: String.self)),
            let state = Upload.State(rawValue: try row.decode(3, as: String.self))
        else { throw PostgresError.decoding("an upload") }
        return Upload(
            id: try row.decode(0, as: FeatureID.self).description, venue: venue, createdVenue: try row.decode(2),
            state: state,
            reasons: try row.decode(4), message: try row.decode(5), author: try row.decode(6),
            archive: try row.decode(7),
            bytes: try row.decode(8), base: try row.decode(9), revision: try row.decode(10),
            publishAt: try row.decode(11), publishedBy: try row.decode(23),
            attempts: Int(try row.decode(12, as: Int32.self)),
            progress: .init(
                phase: try row.decode(13, as: String?.self).flatMap(Upload.Phase.init(rawValue:)),
                done: Int(try row.decode(14, as: Int32.self)), total: Int(try row.decode(15, as: Int32.self))),
            findings: .init(
                complete: try row.decode(16), error: severities["error"] ?? 0, warning: severities["warning"] ?? 0,
                info: severities["info"] ?? 0),
            identity: try row.decode(18, as: String?.self).map { try Self.json($0, as: Upload.Identity.self) },
            changes: try row.decode(19, as: String?.self).map { try Self.json($0, as: ChangeSummary.self) },
            failure: try row.decode(20), receivedAt: try row.decode(21), finishedAt: try row.decode(22))
    }

    static func json<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try WireJSON.value(type, from: Data(text.utf8))
    }
}
