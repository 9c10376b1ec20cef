package import IMDF

/// Why some levels cannot be rolled back by themselves, and which levels would have to be added.
package struct LevelEntanglement: Sendable {
    /// A feature that would be on another side of the border between the levels and the rest of the venue.
    package struct Move: Sendable {
        package let id: FeatureID
        package let type: FeatureType
        /// The current level; in `displaced`, the level of the new state.
        package let level: FeatureID?
        /// The level in the earlier revision; in `displaced`, the level in the revision that the feature comes from.
        package let earlierLevel: FeatureID?
    }

    /// A reference to a feature that the new state would not have.
    package struct DanglingReference: Sendable {
        package let id: FeatureID
        package let type: FeatureType
        package let missing: FeatureID
    }

    /// The number of items, and the first of them.
    package struct Excerpt<Item: Sendable>: Sendable {
        private static var limit: Int { 100 }

        package private(set) var count = 0
        package private(set) var items: [Item] = []

        mutating func add(_ item: Item) {
            self.count += 1
            if self.items.count < Self.limit { self.items.append(item) }
        }
    }

    private let levels: Set<FeatureID>
    /// Features that belong to the levels in only one of the two revisions.
    package private(set) var crossed = Excerpt<Move>()
    package private(set) var dangling = Excerpt<DanglingReference>()
    /// Features that would change their level because of what they refer to.
    package private(set) var displaced = Excerpt<Move>()
    private var missingLevels: Set<FeatureID> = []
    private var needsWholeVenue = false

    init(levels: Set<FeatureID>) {
        self.levels = levels
    }

    var isEmpty: Bool { self.crossed.count + self.dangling.count + self.displaced.count == 0 }

    /// The levels to roll back as well, by id; none when only the whole venue can be rolled back.
    package var levelsToAdd: [FeatureID] { self.needsWholeVenue ? [] : self.missingLevels.sorted() }

    mutating func addCrossed(_ feature: RollbackFeature) {
        let (current, earlier) = (feature.current, feature.earlier)
        self.crossed.add(
            Move(
                id: feature.id, type: (current ?? earlier)?.type ?? FeatureType(rawValue: ""),
                level: current?.placement.level, earlierLevel: earlier?.placement.level))
        self.add([current, earlier].flatMap { $0?.levels(of: feature.id) ?? [] })
    }

    /// - Parameter levels: Levels whose rollback would resolve the reference.
    mutating func addDangling(
        _ id: FeatureID, _ type: FeatureType, missing: FeatureID, tiedTo levels: [FeatureID]
    ) {
        self.dangling.add(DanglingReference(id: id, type: type, missing: missing))
        self.add(levels)
    }

    /// - Parameter levels: Levels whose rollback would keep the feature where it is.
    mutating func addDisplaced(
        _ id: FeatureID, _ version: RollbackFeature.Version, to placement: Placement, tiedTo levels: [FeatureID]
    ) {
        self.displaced.add(
            Move(id: id, type: version.type, level: placement.level, earlierLevel: version.placement.level))
        self.add(levels)
    }

    /// A conflict that involves no other level cannot be resolved by adding levels.
    private mutating func add(_ levels: [FeatureID]) {
        let others = levels.filter { !self.levels.contains($0) }
        if others.isEmpty { self.needsWholeVenue = true }
        self.missingLevels.formUnion(others)
    }
}
