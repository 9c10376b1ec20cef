import Crypto
package import IMDF
import Postgres

/// Archives come and go in chunks: nothing here holds one whole.
extension RevisionStore {
    /// At most so much of an archive is in memory.
    package static let chunkSize = 1 << 20

    /// An archive on its way in.
    package struct ArchiveReception: Sendable {
        let id: Int64
        var chunks: Int32 = 0
        var hash = SHA256()
        package private(set) var bytes: Int64 = 0

        mutating func count(_ chunk: [UInt8]) {
            self.hash.update(data: chunk)
            self.bytes += Int64(chunk.count)
            self.chunks += 1
        }
    }

    package func beginArchive(by authorization: Authorization) async throws -> ArchiveReception {
        let ids = try await self.pool.transaction { connection in
            try await Self.check(authorization, on: connection)
            return try await connection.query("INSERT INTO archive DEFAULT VALUES RETURNING id").decode(Int64.self)
        }
        guard let id = ids.first else { throw StoreError.unknownArchive }
        return ArchiveReception(id: id)
    }

    /// Stores the next chunk. Each is on its own: a slow sender holds no connection between two of them.
    package func append(_ chunk: [UInt8], to archive: inout ArchiveReception) async throws {
        _ = try await self.pool.query(
            """
            WITH stored AS (
                INSERT INTO archive_chunk (archive_id, number, content)
                VALUES (\(archive.id), \(archive.chunks), \(Bytes(chunk)))
            )
            UPDATE archive SET updated_at = now() WHERE id = \(archive.id)
            """)
        archive.count(chunk)
    }

    /// The archive as it will be once the upload is queued; ``enqueue(_:by:)`` makes it so.
    package func finish(_ archive: ArchiveReception) throws -> StoredArchive {
        guard let digest = Digest(bytes: Array(archive.hash.finalize())) else { throw StoreError.unknownArchive }
        return StoredArchive(id: archive.id, digest: digest, bytes: archive.bytes)
    }

    /// Forgets an archive whose sender went away.
    package func abandon(_ archive: ArchiveReception) async throws {
        _ = try await self.pool.query("DELETE FROM archive WHERE id = \(archive.id) AND sha256 IS NULL")
    }

    /// Forgets bodies that were begun and left behind.
    package func sweepAbandonedArchives() async throws {
        _ = try await self.pool.query(
            """
            DELETE FROM archive WHERE id = ANY(ARRAY(
                SELECT id FROM archive WHERE sha256 IS NULL AND updated_at < now() - interval '1 hour'
                FOR UPDATE SKIP LOCKED))
            """)
    }

    /// Uploads of a venue whose archives are kept, the newest ones.
    package static let keptArchives: Int64 = 20

    /// Archives whose chunks are swept at a time.
    private static let sweep: Int64 = 50

    /// Forgets the bytes of archives that belong to no unfinished upload and to none of any venue's last ones. What they were
    /// called and how large they were stays; who uploads them again stores them again.
    ///
    /// - Returns: How many archives that were.
    @discardableResult
    package func sweepOldArchives() async throws -> Int {
        try await self.pool.transaction { connection in
            // Locked first and looked at again after that: an upload that was queued in between is seen then, and one that is
            // being queued holds the lock itself.
            let old = try await connection.query(
                """
                SELECT id FROM archive WHERE stored AND sha256 IS NOT NULL AND NOT (\(Self.isNeeded))
                ORDER BY id LIMIT \(Self.sweep) FOR UPDATE SKIP LOCKED
                """
            ).decode(Int64.self)
            guard !old.isEmpty else { return 0 }
            let swept = try await connection.query(
                """
                WITH swept AS (
                    UPDATE archive SET stored = false WHERE id = ANY(\(old)) AND NOT (\(Self.isNeeded)) RETURNING id
                ), deleted AS (
                    DELETE FROM archive_chunk USING swept WHERE archive_id = swept.id
                )
                SELECT id FROM swept
                """)
            return swept.count
        }
    }

    private static let isNeeded: Query = """
        EXISTS (
            SELECT FROM upload WHERE upload.archive_id = archive.id
                AND (upload.state IN ('received', 'processing', 'staged')
                    OR upload.state IN ('published', 'unchanged') AND NOT upload.findings_complete
                    OR upload.sequence_number >= coalesce((
                        SELECT sequence_number FROM upload AS recent WHERE recent.venue_id = upload.venue_id
                        ORDER BY sequence_number DESC OFFSET \(Self.keptArchives - 1) LIMIT 1), 0)))
        """

    /// Hands out the archive of an upload, chunk by chunk.
    package func readArchive(of upload: FeatureID, _ chunk: ([UInt8]) throws -> Void) async throws {
        try await self.pool.withConnection { connection in
            try await connection.stream(
                """
                SELECT content FROM archive_chunk
                WHERE archive_id = (SELECT archive_id FROM upload WHERE id = \(upload))
                ORDER BY number
                """
            ) { row in
                try chunk(row.decode(0, as: Bytes.self).bytes)
            }
        }
    }
}
