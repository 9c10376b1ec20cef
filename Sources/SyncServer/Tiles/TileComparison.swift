import FloorTiles
import IMDF
import RevisionStore
import SyncModel

/// Compares the tiles of two revisions, level by level.
struct TileComparison: Sendable {
    private let venue: VenueRecord
    private let from: RevisionRecord
    private let to: RevisionRecord
    private let generation: Int
    private let readModel: ReadModel

    /// More tiles are not listed.
    private static let maximumTiles = 10_000
    /// The levels that are not compared within this time are listed with “all tiles”.
    static let timeout = Duration.seconds(20)

    init(of venue: VenueRecord, from: Int64, to: Int64, generation: Int, readModel: ReadModel) async throws {
        let revisions = readModel.revisions(of: venue, at: max(from, to))
        (self.from, self.to) = (
            try await revisions.revision(from, of: venue), try await revisions.revision(to, of: venue)
        )
        (self.venue, self.generation, self.readModel) = (venue, generation, readModel)
    }

    /// Every tile of every level.
    func everything(edition: String) -> TileChanges {
        self.result(edition, (self.to.levels + self.removedLevels).map { self.floor($0, .all) })
    }

    func changes(
        _ variant: TileVariant, by tiles: TileService, edition: String, timeout: Duration = Self.timeout
    ) async throws -> TileChanges {
        let old = Dictionary(self.from.levels.map { ($0.id, $0) }) { first, _ in first }
        let states = (try await self.states(of: self.from), try await self.states(of: self.to))
        // The venue-wide part and the language concern every level.
        let sharesContext = states.0[nil] == states.1[nil] && self.from.about.language == self.to.about.language
        var floors: [TileChanges.Floor] = []
        var count = 0
        let deadline = ContinuousClock.now + timeout
        var isComplete = true
        for level in self.to.levels {
            guard let before = old[level.id] else {
                floors.append(self.floor(level, .all))
                continue
            }
            guard before.ordinal == level.ordinal else {
                // The tiles of both ordinals differ.
                floors += [self.floor(before, .all), self.floor(level, .all)]
                continue
            }
            if sharesContext, states.0[level.id] == states.1[level.id] { continue }
            guard ContinuousClock.now < deadline else {
                isComplete = false
                floors.append(self.floor(level, .all))
                continue
            }
            let prepared = (
                try await self.prepared(level.id, at: self.from, by: tiles),
                try await self.prepared(level.id, at: self.to, by: tiles)
            )
            var changed = try await tiles.changedTiles(
                from: prepared.0, to: prepared.1, variant, until: deadline, for: self.venue.key)
            if changed == nil { isComplete = false }
            if case .some(.some(let tiles)) = changed {
                if tiles.isEmpty { continue }
                count += tiles.count
                if count > Self.maximumTiles { changed = .all }
            }
            floors.append(self.floor(level, changed ?? .all))
        }
        // A tile of a level that does not exist is a problem and no image.
        floors += self.removedLevels.map { self.floor($0, .all) }
        return self.result(edition, floors, isComplete: isComplete)
    }

    private var removedLevels: [RevisionRecord.Level] {
        let ids = Set(self.to.levels.map(\.id))
        return self.from.levels.filter { !ids.contains($0.id) }
    }

    private func states(of revision: RevisionRecord) async throws -> [FeatureID?: Digest] {
        let states = try await self.readModel.revisions(of: self.venue, at: revision.number)
            .levelStates(of: self.venue, at: revision)
        return Dictionary(states.map { ($0.level, $0.digest) }) { first, _ in first }
    }

    private func prepared(
        _ level: FeatureID, at revision: RevisionRecord, by tiles: TileService
    ) async throws -> PreparedLevel {
        let levels = try await tiles.prepared([level], of: self.venue, at: revision, generation: self.generation)
        guard let level = levels.first else { throw StoreError.historyChanged }
        return level.prepared
    }

    private func floor(_ level: RevisionRecord.Level, _ tiles: ChangedTiles) -> TileChanges.Floor {
        TileChanges.Floor(level_id: level.id, ordinal: level.ordinal, tiles: tiles)
    }

    private func result(_ edition: String, _ floors: [TileChanges.Floor], isComplete: Bool = true) -> TileChanges {
        TileChanges(
            from: self.from.number, to: self.to.number, edition: edition, floors: floors, isComplete: isComplete)
    }
}
