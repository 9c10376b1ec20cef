public import Foundation
import GRDB
import SyncModel

/// The file of a ``VenueCatalogueReplica``, for reading without a server. Readers see complete catalogue positions only.
public final class CatalogueStore: Sendable {
    let pool: DatabasePool

    private init(pool: DatabasePool) {
        self.pool = pool
    }

    /// Opens the file of a catalogue, or creates it. SQLite keeps two more files beside it, with the suffixes `-wal` and `-shm`.
    ///
    /// The file is verified. Damaged venues are deleted, and if nothing can be relied on, an empty file takes the place of the damaged
    /// one. The next synchronization then fetches everything.
    ///
    /// - Throws: ``ReplicaFileError``.
    /// - Complexity: Reads the whole file.
    @concurrent public static func open(_ file: URL) async throws -> CatalogueStore {
        let file = CatalogueSchema.file(file)
        return CatalogueStore(
            pool: try file.open { pool in
                let damage = try pool.read { db in try CatalogueDamage(db) }
                guard !damage.venues.isEmpty else { return }
                // Another process may have written since.
                try pool.write { db in try CatalogueDamage(db).remove(db) }
            } replacing: {
                { _ in }
            })
    }

    /// Reads in one snapshot: everything that the closure reads belongs to one catalogue position.
    ///
    /// - Throws: What the closure throws, or ``SyncError/file(_:)``.
    public func read<Answer: Sendable>(
        _ body: @escaping @Sendable (CatalogueReader) throws -> Answer
    ) async throws -> Answer {
        try await ReplicaStore.translatingErrors { try await self.pool.read { try body(CatalogueReader(db: $0)) } }
    }

    /// When the file last had the newest position, read at once.
    var lastSync: Date? {
        try? self.pool.read { try CatalogueReader(db: $0).state().syncedAt }
    }

    /// Closes the file. Later calls fail.
    public func close() throws {
        try self.pool.close()
    }
}
