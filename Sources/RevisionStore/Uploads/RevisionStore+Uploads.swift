import Foundation
import Postgres
package import SyncModel

extension RevisionStore {
    /// Adds a received archive to the queue of its venue. From here on it is not lost.
    ///
    /// If an upload of the same bytes to the same venue with the same options is unfinished, no upload is added.
    ///
    /// - Returns: The id of the upload, and whether it is new.
    /// - Throws: `unknownVenue` if the venue does not exist and the request does not create it, `unknownRevision` if the base of the
    ///   request is newer than the venue's head, `venueGone` or `venueReplaced` if the venue was deleted or replaced since the
    ///   request arrived, `queueFull` if too many uploads are waiting.
    package func enqueue(
        _ request: UploadRequest, limits: QueueLimits? = nil, by authorization: Authorization
    ) async throws -> (id: UploadID, isNew: Bool) {
        let options = String(decoding: try WireJSON.data(request.options), as: UTF8.self)
        return try await self.write(to: request.venue, by: authorization) { connection in
            let venue = try await Self.venueForUpload(request, on: connection)
            if let base = request.options.base, base > venue.head { throw StoreError.unknownRevision(base) }
            let archive = try await Self.store(request.archive, on: connection)
            let same = try await connection.query(
                """
                SELECT id FROM upload
                WHERE venue_id = \(venue.id) AND archive_id = \(archive) AND options = \(options)::jsonb
                    AND state IN ('received', 'processing', 'staged')
                ORDER BY sequence_number LIMIT 1 FOR SHARE
                """  // waits for one that is being discarded, which does not match any more then
            ).decode(UploadID.self)
            if let id = same.first {
                // An author who may publish takes over the upload of a key that is not valid any more.
                _ = try await connection.query(
                    """
                    UPDATE upload SET authorized_by = \(authorization.key)
                    WHERE id = \(id) AND NOT EXISTS (
                            SELECT FROM api_key WHERE api_key.id = authorized_by AND \(Self.isUnexpired))
                        AND authorized_by IS NOT NULL
                    """)
                return (id, false)
            }
            if let limits {
                try await limits.check(venue: venue.id, submitter: authorization.submitter, on: connection)
            }
            let id = UploadID.random()
            _ = try await connection.pipeline([
                """
                INSERT INTO upload
                    (id, venue_id, created_venue, archive_id, options, author, authorized_by, message, file_name, publish_at)
                VALUES (\(id), \(venue.id), \(venue.isNew), \(archive), \(options)::jsonb,
                    \(authorization.author), \(authorization.key), \(request.message),
                    \(request.fileName), \(request.options.time))
                """,
                "SELECT pg_notify(\(Channel.upload), \(id.description))::text",
            ])
            if venue.isNew { try await Self.recordChange(of: venue.id, on: connection) }
            return (id, true)
        }
    }

    /// The venue of an upload, created or recreated if the request permits it, with its queue locked: uploads of one venue get their
    /// sequence numbers in commit order, and none is added while the venue is being deleted.
    ///
    /// The row of an existing venue is only read, so that a publication does not delay uploads.
    private static func venueForUpload(
        _ request: UploadRequest, on connection: Connection
    ) async throws -> (id: Int64, head: Int64, isNew: Bool) {
        let epoch = Int64.random(in: .min ... .max)
        let find: Query = "SELECT id FROM venue WHERE key = \(request.venue.description)"
        var existing = try await connection.query(find).decode(Int64.self).first
        if existing == nil, request.createsVenue, request.known == nil {
            let created = try await connection.query(
                """
                INSERT INTO venue (key, epoch) VALUES (\(request.venue.description), \(epoch))
                ON CONFLICT (key) DO NOTHING RETURNING id
                """
            ).decode(Int64.self).first
            if let created {
                try await Self.lockQueue(of: created, on: connection)
                return (created, 0, true)
            }
            existing = try await connection.query(find).decode(Int64.self).first  // created by another request
        }
        guard let venue = existing else { throw request.known.map { _ in StoreError.venueReplaced } ?? .unknownVenue }
        try await Self.lockQueue(of: venue, on: connection)
        let rows = try await connection.query(
            "SELECT head, deleted_at IS NOT NULL, epoch FROM venue WHERE id = \(venue)")
        guard let (head, isDeleted, currentEpoch) = try rows.decode((Int64, Bool, Int64).self).first else {
            throw StoreError.unknownVenue
        }
        if let expected = request.known, isDeleted || currentEpoch != expected.epoch {
            throw try await Self.writeError(for: expected, on: connection)
        }
        guard isDeleted else { return (venue, head, false) }
        guard request.createsVenue else { throw StoreError.unknownVenue }
        _ = try await connection.query(
            """
            UPDATE venue SET deleted_at = NULL, epoch = \(epoch), former_epochs = '{}', first_revision = 1, created_at = now(),
                \(raw: VenueSetting.defaults)
            WHERE id = \(venue)
            """)
        return (venue, 0, true)
    }

    /// The object that was just written replaces the one of the same bytes, which may have been lost or damaged since.
    private static func replaceObject(of archive: Int64, byThatOf other: Int64, on connection: Connection) async throws
    {
        let replaced = try await connection.query(
            """
            UPDATE archive_object SET archive_id = NULL WHERE archive_id = \(archive)
                AND EXISTS (SELECT FROM archive_object AS new WHERE new.archive_id = \(other))
            """)
        guard replaced.affected > 0 else { return }
        _ = try await connection.query(
            "UPDATE archive_object SET archive_id = \(archive), is_complete = true WHERE archive_id = \(other)")
    }

    /// Stores the digest of the archive. The same bytes are stored once, and again after they were swept.
    private static func store(_ archive: StoredArchive, on connection: Connection) async throws -> Int64 {
        // Of two requests with the same new bytes, the second one waits here and then finds the archive of the first.
        try await Self.lockArchives(with: archive.digest, on: connection)
        // The row is locked until the upload is in the queue, so that a sweep does not delete its content.
        let known = try await connection.query(
            "SELECT id, stored FROM archive WHERE sha256 = \(archive.digest) FOR UPDATE"
        ).decode((Int64, Bool).self)
        if let (id, isStored) = known.first {
            guard id != archive.id else { return id }
            if !isStored {
                let results = try await connection.pipeline([
                    "UPDATE archive_chunk SET archive_id = \(id) WHERE archive_id = \(archive.id)",
                    """
                    UPDATE archive_object SET archive_id = \(id), is_complete = true WHERE archive_id = \(archive.id)
                    """,
                    "UPDATE archive SET stored = true WHERE id = \(id)",
                ])
                guard results[0].affected + results[1].affected > 0 else { throw StoreError.unknownArchive }
            } else {
                try await Self.replaceObject(of: id, byThatOf: archive.id, on: connection)
            }
            _ = try await connection.query("DELETE FROM archive WHERE id = \(archive.id)")
            return id
        }
        let named = try await connection.pipeline([
            "UPDATE archive SET sha256 = \(archive.digest), bytes = \(archive.bytes) WHERE id = \(archive.id)",
            "UPDATE archive_object SET is_complete = true WHERE archive_id = \(archive.id)",
        ])
        guard named[0].affected == 1 else { throw StoreError.unknownArchive }
        return archive.id
    }

    /// - Parameter venues: An upload to any other venue is unknown, and takes as long as one that does not exist. Nil for all venues.
    package func upload(_ id: UploadID, ofAnyOf venues: Set<VenueKey>? = nil) async throws -> Upload {
        let names = venues.map { $0.map(\.description) }
        let rows = try await self.pool.query(
            """
            \(Self.uploads) WHERE upload.id = \(id) AND (\(names)::text[] IS NULL OR venue.key = ANY(\(names)))
            """)
        guard let row = rows.first else { throw StoreError.unknownUpload }
        return try Self.upload(of: row)
    }

    /// A venue's uploads, the newest first.
    ///
    /// - Parameter last: Only uploads before this one.
    package func uploads(
        of venue: VenueKey, state: Upload.State?, before last: UploadID? = nil, limit: Int
    ) async throws -> [Upload] {
        try await self.pool.query(
            """
            \(Self.uploads) WHERE upload.venue_id = (SELECT id FROM venue WHERE key = \(venue.description))
                AND (\(state?.rawValue)::text IS NULL OR upload.state = \(state?.rawValue))
                AND (\(last)::uuid IS NULL OR upload.sequence_number < (SELECT sequence_number FROM upload WHERE id = \(last)))
            ORDER BY upload.sequence_number DESC LIMIT \(Int64(limit))
            """
        ).map(Self.upload(of:))
    }

    /// The upload of each venue that is of most interest before its first publication, by the id of the venue: the newest one that is
    /// unfinished, else the newest one.
    package func firstUploads(of venues: [VenueRecord]) async throws -> [Int64: Upload] {
        guard !venues.isEmpty else { return [:] }
        let ids = Dictionary(venues.map { ($0.key, $0.id) }) { $1 }
        let uploads = try await self.pool.query(
            """
            \(Self.uploads) WHERE upload.id IN (
                SELECT coalesce(
                    (SELECT id FROM upload WHERE venue_id = listed.id AND state IN ('received', 'processing', 'staged')
                     ORDER BY sequence_number DESC LIMIT 1),
                    (SELECT id FROM upload WHERE venue_id = listed.id ORDER BY sequence_number DESC LIMIT 1))
                FROM unnest(\(Array(ids.values))::bigint[]) AS listed (id))
            """
        ).map(Self.upload(of:))
        return Dictionary(uploads.compactMap { upload in ids[upload.venue].map { ($0, upload) } }) { $1 }
    }

    private static let uploads: Query = """
        SELECT upload.id, venue.key, upload.created_venue, upload.state, upload.reasons, upload.message, upload.author,
            archive.sha256, archive.bytes, upload.base, upload.revision, upload.publish_at, upload.attempts, upload.phase,
            upload.done, upload.total, upload.findings_complete, upload.severity_counts::text, upload.identity::text,
            \(summary("upload.changes")), upload.failure, upload.received_at, upload.finished_at, upload.published_by,
            upload.overrides::text, upload.file_name
        FROM upload JOIN venue ON venue.id = upload.venue_id JOIN archive ON archive.id = upload.archive_id
        """

    private static func upload(of row: Row) throws -> Upload {
        let severities = try Self.json(row.decode(17, as: String.self), as: [String: Int].self)
        guard let venue = VenueKey(try row.decode(1, as: String.self)),
            let state = Upload.State(rawValue: try row.decode(3, as: String.self))
        else { throw PostgresError.decoding("an upload") }
        return Upload(
            id: try row.decode(0, as: UploadID.self).description, venue: venue, createdVenue: try row.decode(2),
            state: state,
            reasons: try row.decode(4), message: try row.decode(5), fileName: try row.decode(25),
            author: try row.decode(6),
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
            overrides: try row.decode(24, as: String?.self).map { try Self.json($0, as: Upload.OverrideCounts.self) },
            failure: try row.decode(20), receivedAt: try row.decode(21), finishedAt: try row.decode(22))
    }

    static func json<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try WireJSON.value(type, from: Data(text.utf8))
    }
}
