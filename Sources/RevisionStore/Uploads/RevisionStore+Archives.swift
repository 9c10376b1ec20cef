import Crypto
import IMDF
import Postgres

/// Archives are received and read in chunks; none is held in memory as a whole.
extension RevisionStore {
    /// The size of a chunk, in bytes.
    package static let chunkSize = 1 << 20

    /// An archive that is being received.
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

    /// Stores the next chunk, in its own transaction: a slow sender holds no connection between two chunks.
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

    /// The complete archive. ``enqueue(_:limits:by:)`` stores its digest and size.
    package func finish(_ archive: ArchiveReception) throws -> StoredArchive {
        guard let digest = Digest(bytes: Array(archive.hash.finalize())) else { throw StoreError.unknownArchive }
        return StoredArchive(id: archive.id, digest: digest, bytes: archive.bytes)
    }

    /// Deletes an archive whose sender disconnected.
    package func abandon(_ archive: ArchiveReception) async throws {
        _ = try await self.pool.query("DELETE FROM archive WHERE id = \(archive.id) AND sha256 IS NULL")
    }

    /// Deletes archives that were never completed.
    package func sweepAbandonedArchives() async throws {
        _ = try await self.pool.query(
            """
            DELETE FROM archive WHERE id = ANY(ARRAY(
                SELECT id FROM archive WHERE sha256 IS NULL AND updated_at < now() - interval '1 hour'
                FOR UPDATE SKIP LOCKED))
            """)
    }

    /// The number of newest uploads of a venue whose archives are kept.
    package static let keptArchives: Int64 = 20

    /// The number of archives whose chunks are deleted in one transaction.
    private static let sweepBatch: Int64 = 50

    /// Deletes the chunks of archives that belong neither to an unfinished upload nor to one of the newest uploads of a venue. Digest
    /// and size are kept. If such an archive is uploaded again, it is stored again.
    ///
    /// - Returns: The number of archives.
    @discardableResult
    package func sweepOldArchives() async throws -> Int {
        try await self.pool.transaction { connection in
            // The archives are locked first and then checked again: an upload that was queued in between is visible then, and one
            // that is being queued holds the lock.
            let old = try await connection.query(
                """
                SELECT id FROM archive WHERE stored AND sha256 IS NOT NULL AND NOT (\(Self.isNeeded))
                ORDER BY id LIMIT \(Self.sweepBatch) FOR UPDATE SKIP LOCKED
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

    /// Passes the archive of an upload to a closure, chunk by chunk.
    package func readArchive(of upload: UploadID, _ chunk: ([UInt8]) throws -> Void) async throws {
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
