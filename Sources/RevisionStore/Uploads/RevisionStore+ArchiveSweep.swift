import ArchiveStore
import Postgres

/// Deletes archives that are not needed any more.
extension RevisionStore {
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
    private static let keptArchives: Int64 = 20

    /// The number of archives that one transaction examines, and of those whose content it deletes.
    private static let examinedBatch: Int64 = 2_000
    private static let sweepBatch: Int64 = 50

    /// Deletes the content of archives that belong neither to an unfinished upload nor to one of the newest uploads of a venue. Digest
    /// and size are kept. If such an archive is uploaded again, it is stored again.
    ///
    /// - Parameter position: Where the search continues; 0 for the beginning. Afterwards 0 if the end was reached.
    /// - Returns: The number of archives.
    /// - Complexity: Bounded, however many archives are stored.
    @discardableResult
    package func sweepOldArchives(from position: inout Int64) async throws -> Int {
        let start = position
        let (count, next) = try await self.pool.transaction { connection in
            // The archives are locked first and then checked again: an upload that was queued in between is visible then, and one
            // that is being queued holds the lock.
            let examined = try await connection.query(
                """
                SELECT id FROM archive WHERE stored AND id > \(start) ORDER BY id LIMIT \(Self.examinedBatch)
                """
            ).decode(Int64.self)
            let old = try await connection.query(
                """
                SELECT id FROM archive WHERE stored AND sha256 IS NOT NULL AND id > \(start)
                    AND id <= \(examined.last ?? start) AND NOT (\(Self.isNeeded))
                ORDER BY id LIMIT \(Self.sweepBatch) FOR UPDATE SKIP LOCKED
                """
            ).decode(Int64.self)
            let isEnd = examined.count < Int(Self.examinedBatch)
            var next = isEnd ? 0 : examined.last ?? 0
            if old.count == Int(Self.sweepBatch) { next = old.last ?? 0 }
            guard !old.isEmpty else { return (0, next) }
            let swept = try await connection.query(
                """
                WITH swept AS (
                    UPDATE archive SET stored = false WHERE id = ANY(\(old)) AND NOT (\(Self.isNeeded)) RETURNING id
                ), deleted AS (
                    DELETE FROM archive_chunk USING swept WHERE archive_id = swept.id
                ), unused AS (
                    UPDATE archive_object SET archive_id = NULL FROM swept WHERE archive_id = swept.id
                )
                SELECT id FROM swept
                """)
            return (swept.count, next)
        }
        position = next
        return count
    }

    /// Deletes the content of old archives from the beginning on, at most ``sweepBatch`` of them.
    @discardableResult
    package func sweepOldArchives() async throws -> Int {
        var position: Int64 = 0
        repeat {
            let count = try await self.sweepOldArchives(from: &position)
            if count > 0 { return count }
        } while position > 0
        return 0
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

    /// After so many failures and no success, the store is taken to be unavailable.
    private static let maxFailures = 3

    /// Deletes objects of the archive store that no archive needs: of archives that were swept, that had been stored already, or that
    /// were never completed. Several processes may do this at the same time.
    ///
    /// - Returns: The number of objects; 0 for a process without an archive store.
    /// - Throws: ``ArchiveStoreError`` if none can be deleted. One that cannot be deleted does not keep the others.
    @discardableResult
    package func deleteUnusedObjects() async throws -> Int {
        guard let archives = self.archives else { return 0 }
        let unused = try await self.pool.query(
            """
            SELECT name, is_complete FROM archive_object WHERE archive_id IS NULL
            -- At random, so that those which cannot be deleted do not keep the others.
            ORDER BY random() LIMIT \(Self.sweepBatch)
            """
        ).decode((String, Bool).self)
        var (deleted, failures): (Int, [ArchiveStoreError]) = (0, [])
        for (text, isComplete) in unused {
            do {
                if let name = ArchiveName(text) { try await archives.delete(name, isComplete: isComplete) }
            } catch let error as ArchiveStoreError {
                failures.append(error)
                if deleted == 0, failures.count == Self.maxFailures { break }
                continue
            }
            _ = try await self.pool.query(
                "DELETE FROM archive_object WHERE name = \(text) AND archive_id IS NULL")
            deleted += 1
        }
        if deleted == 0, let failure = failures.first { throw failure }
        return deleted
    }
}
