import ArchiveStore
import IMDF
import Postgres
import SystemCrypto

/// Archives are received and read in chunks; none is held in memory as a whole. They are stored in the database, or as objects of an
/// ``ArchiveStore``.
extension RevisionStore {
    /// The size of a chunk, in bytes.
    package static let chunkSize = 1 << 20

    /// An archive that is being received.
    package struct ArchiveReception: Sendable {
        let id: Int64
        /// The object that it is written to; nil for the database.
        let object: ArchiveName?
        var writer: (any ObjectWriter)?
        var chunks: Int32 = 0
        var hash = SHA256()
        package private(set) var bytes: Int64 = 0

        init(id: Int64, object: ArchiveName?) {
            self.id = id
            self.object = object
        }

        mutating func count(_ chunk: [UInt8]) {
            self.hash.update(chunk)
            self.bytes += Int64(chunk.count)
            self.chunks += 1
        }
    }

    package func beginArchive(by authorization: Authorization) async throws -> ArchiveReception {
        let object = self.archives.map { _ in ArchiveName.random() }
        let id = try await self.pool.transaction { connection in
            try await Self.check(authorization, on: connection)
            let ids = try await connection.query("INSERT INTO archive DEFAULT VALUES RETURNING id").decode(Int64.self)
            guard let id = ids.first else { throw StoreError.unknownArchive }
            if let object {
                // Before the object exists, so that it is deleted if this process is killed.
                _ = try await connection.query(
                    "INSERT INTO archive_object (name, archive_id) VALUES (\(object.description), \(id))")
            }
            return id
        }
        var archive = ArchiveReception(id: id, object: object)
        guard let archives = self.archives, let object else { return archive }
        do {
            archive.writer = try await archives.write(object)
        } catch {
            try? await self.abandon(archive)
            throw error
        }
        return archive
    }

    /// Stores the next chunk, in its own transaction: a slow sender holds no connection between two chunks.
    package func append(_ chunk: [UInt8], to archive: inout ArchiveReception) async throws {
        if archive.writer != nil {
            let updated = try await self.pool.query("UPDATE archive SET updated_at = now() WHERE id = \(archive.id)")
            guard updated.affected == 1 else { throw StoreError.unknownArchive }
            try await archive.writer?.append(chunk)
        } else {
            _ = try await self.pool.query(
                """
                WITH stored AS (
                    INSERT INTO archive_chunk (archive_id, number, content)
                    VALUES (\(archive.id), \(archive.chunks), \(Bytes(chunk)))
                )
                UPDATE archive SET updated_at = now() WHERE id = \(archive.id)
                """)
        }
        archive.count(chunk)
    }

    /// The complete archive, which is stored permanently when this returns. ``enqueue(_:limits:by:)`` stores its digest and size.
    package func finish(_ archive: ArchiveReception) async throws -> StoredArchive {
        var archive = archive
        try await archive.writer?.finish()
        guard let digest = Digest(bytes: Array(archive.hash.finalize())) else { throw StoreError.unknownArchive }
        return StoredArchive(id: archive.id, digest: digest, bytes: archive.bytes)
    }

    /// Deletes an archive whose sender disconnected. What is left of its object is deleted by a worker.
    package func abandon(_ archive: ArchiveReception) async throws {
        _ = try await self.pool.query("DELETE FROM archive WHERE id = \(archive.id) AND sha256 IS NULL")
    }

    /// Passes the archive of an upload to a closure, chunk by chunk.
    ///
    /// - Throws: ``ArchiveStoreError`` if its object cannot be read, or differs from what was uploaded. The closure has received a part
    ///   of it by then.
    package func readArchive(of upload: UploadID, _ chunk: ([UInt8]) throws -> Void) async throws {
        let rows = try await self.pool.query(
            """
            SELECT archive.sha256, object.name
            FROM (SELECT archive_id FROM upload WHERE id = \(upload) OFFSET 0) AS upload
            CROSS JOIN LATERAL (SELECT sha256 FROM archive WHERE id = upload.archive_id OFFSET 0) AS archive
            CROSS JOIN LATERAL (
                SELECT name FROM archive_object WHERE archive_object.archive_id = upload.archive_id OFFSET 0
            ) AS object
            """)
        guard let (digest, text) = try rows.decode((Bytes, String).self).first, let name = ArchiveName(text) else {
            return try await self.readChunks(of: upload, chunk)
        }
        guard let archives = self.archives else { throw ArchiveStoreError.notConfigured }
        var hash = SHA256()
        try await archives.read(name) { bytes in
            hash.update(bytes)
            try chunk(bytes)
        }
        guard hash.finalize() == digest.bytes else { throw ArchiveStoreError.damaged(name) }
    }

    private func readChunks(of upload: UploadID, _ chunk: ([UInt8]) throws -> Void) async throws {
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
