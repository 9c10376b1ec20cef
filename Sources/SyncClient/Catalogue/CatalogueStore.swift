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
    /// - Throws: ``ReplicaFileError``.
    @concurrent public static func open(_ file: URL) async throws -> CatalogueStore {
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        do {
            if !isNew {
                try ReplicaStore.probe(
                    file, applicationID: CatalogueSchema.applicationID, migrator: CatalogueSchema.migrator,
                    mayBeEmpty: true)
            }
            let pool = try DatabasePool(path: file.path, configuration: ReplicaStore.configuration(isNew: isNew))
            try CatalogueSchema.migrator.migrate(pool)
            return CatalogueStore(pool: pool)
        } catch let error as DatabaseError {
            throw ReplicaFileError(error, file)
        }
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
