public import IMDF
import SyncModel

/// Synchronizes, and chooses the levels to hold. The selection is stored in the file.
///
/// These calls need the server. If they fail, the replica and its selection are unchanged, and everything that is held can be read.
extension VenueReplica {
    /// Synchronizes the replica with the newest revision. The selection is kept; if none was chosen yet, it becomes all levels.
    ///
    /// - Throws: ``SyncError``, or `CancellationError`; the replica is then unchanged.
    @discardableResult
    public func sync() async throws -> SyncReport {
        try await self.synchronizeInTurn { state, _ in state.selection ?? .everything }
    }

    /// Replaces the selection and synchronizes: new levels are downloaded, and all others are dropped, which
    /// ``SyncReport/dropped`` lists. To keep the others, use ``add(_:)``.
    ///
    /// - Parameter levels: The levels to hold from now on. The venue-wide part is always included.
    /// - Throws: See ``sync()``; the selection is then unchanged.
    @discardableResult
    public func select(_ levels: LevelSelection) async throws -> SyncReport {
        try await self.synchronizeInTurn { _, _ in levels }
    }

    /// Adds levels to the selection and synchronizes. Levels that were selected before are kept.
    ///
    /// With `.venueWide` alone, the venue-wide part is held and no floor is downloaded.
    ///
    /// - Throws: See ``sync()``; the selection is then unchanged.
    @discardableResult
    public func add(_ levels: LevelSelection.Name...) async throws -> SyncReport {
        try await self.add(Set(levels))
    }

    /// See ``add(_:)-(LevelSelection.Name...)``.
    @discardableResult
    public func add(_ levels: Set<LevelSelection.Name>) async throws -> SyncReport {
        try await self.synchronizeInTurn { state, _ in LevelSelection.adding(levels, to: state.selection) }
    }

    /// Removes a level from the selection, synchronizes, and frees its space.
    ///
    /// - Throws: See ``sync()``; the selection is then unchanged.
    @discardableResult
    public func drop(_ level: LevelSelection.Name) async throws -> SyncReport {
        try await self.synchronizeInTurn { state, reader in
            (state.selection ?? .everything).without(level, among: try reader.levels())
        }
    }
}
