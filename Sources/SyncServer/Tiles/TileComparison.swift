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
        let ordinals = Dictionary(self.to.levels.map { ($0.id, $0.ordinal) }) { first, _ in first }
        // Of a level whose ordinal has changed, those of the former one, too.
        let former = self.from.levels.filter { ordinals[$0.id] != .some($0.ordinal) }
        return self.result(edition, (self.to.levels + former).map { self.floor($0, .all) })
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
        var differing: Set<Int?> = []
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
            differing.insert(level.ordinal)
            guard ContinuousClock.now < deadline else {
                isComplete = false
                floors.append(self.floor(level, .all))
                continue
            }
            // Both states at the same time: their preparation takes longer than the comparison.
            async let former = self.prepared([level.id], at: self.from, by: tiles)
            async let current = self.prepared([level.id], at: self.to, by: tiles)
            var changed = try await tiles.changedTiles(
                from: former, to: current, variant, until: deadline, for: self.venue.key)
            if changed == nil { isComplete = false }
            if case .some(.some(let tiles)) = changed {
                if tiles.isEmpty { continue }
                count += tiles.count
                if count > Self.maximumTiles { changed = .all }
            }
            floors.append(self.floor(level, changed ?? .all))
        }
        if variant.format == .png {
            for (ordinal, levels) in self.sharedOrdinals(differing, floors) {
                guard ContinuousClock.now < deadline else {
                    isComplete = false
                    floors.append(TileChanges.Floor(level_id: nil, ordinal: ordinal, tiles: .all))
                    continue
                }
                async let former = self.prepared(levels, at: self.from, by: tiles)
                async let current = self.prepared(levels, at: self.to, by: tiles)
                let changed = try await tiles.changedTiles(
                    from: former, to: current, variant, until: deadline, for: self.venue.key)
                if changed == nil { isComplete = false }
                guard let others = (changed ?? .all).subtracting(floors.filter { $0.ordinal == ordinal }) else {
                    continue
                }
                floors.append(TileChanges.Floor(level_id: nil, ordinal: ordinal, tiles: others))
            }
        }
        // A tile of a level that does not exist is a problem and no image.
        floors += self.removedLevels.map { self.floor($0, .all) }
        return self.result(edition, floors, isComplete: isComplete)
    }

    /// The ordinals with several levels of which some differ, unless all tiles do: a label of one level may give way to one of another,
    /// so images of the ordinal may differ where those of no level do.
    ///
    /// - Parameter differing: The ordinals of levels whose features differ, also of those whose own tiles do not.
    private func sharedOrdinals(
        _ differing: Set<Int?>, _ floors: [TileChanges.Floor]
    ) -> [(ordinal: Int, levels: [FeatureID])] {
        let levels = Dictionary(grouping: self.to.levels) { $0.ordinal }
        return differing.compactMap { ordinal in
            guard let ordinal, let ids = levels[ordinal]?.map(\.id), ids.count > 1,
                !floors.contains(where: { $0.ordinal == ordinal && $0.tiles == .all }),
                Set(ids) == Set(self.from.levels.filter { $0.ordinal == ordinal }.map(\.id))
            else { return nil }
            return (ordinal, ids)
        }.sorted { $0.ordinal < $1.ordinal }
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
        _ levels: [FeatureID], at revision: RevisionRecord, by tiles: TileService
    ) async throws -> [PreparedLevel] {
        try await tiles.levels.prepared(levels, of: self.venue, at: revision, generation: self.generation)
            .map(\.prepared)
    }

    private func floor(_ level: RevisionRecord.Level, _ tiles: ChangedTiles) -> TileChanges.Floor {
        TileChanges.Floor(level_id: level.id, ordinal: level.ordinal, tiles: tiles)
    }

    private func result(_ edition: String, _ floors: [TileChanges.Floor], isComplete: Bool = true) -> TileChanges {
        TileChanges(
            from: self.from.number, to: self.to.number, edition: edition, floors: floors, isComplete: isComplete)
    }
}

extension ChangedTiles {
    /// Those that no floor has; nil if there are none.
    fileprivate func subtracting(_ floors: [TileChanges.Floor]) -> ChangedTiles? {
        guard case .some(let tiles) = self else { return self }
        let known = floors.reduce(into: Set<TileAddress>()) { known, floor in
            if case .some(let tiles) = floor.tiles { known.formUnion(tiles) }
        }
        let others = tiles.filter { !known.contains($0) }
        return others.isEmpty ? nil : .some(others)
    }
}
