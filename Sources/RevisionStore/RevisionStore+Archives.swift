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

    package func beginArchive() async throws -> ArchiveReception {
        let ids = try await self.pool.query("INSERT INTO archive DEFAULT VALUES RETURNING id").decode(Int64.self)
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
            UPDATE archive SET touched_at = now() WHERE id = \(archive.id)
            """)
        archive.count(chunk)
    }

    /// The archive as it will be once the upload is queued; ``enqueue(_:)`` makes it so.
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
            "DELETE FROM archive WHERE sha256 IS NULL AND touched_at < now() - interval '1 hour'")
    }

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
