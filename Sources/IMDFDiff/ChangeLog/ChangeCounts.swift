package import IMDF

/// How many features changed, in all, by level and by type.
///
/// A feature that moved to another level counts once, as changed, under its new level.
package struct ChangeCounts: Hashable, Sendable {
    package struct Tally: Hashable, Sendable, Codable {
        package var added = 0
        package var changed = 0
        package var removed = 0

        package init(added: Int = 0, changed: Int = 0, removed: Int = 0) {
            self.added = added
            self.changed = changed
            self.removed = removed
        }

        package var total: Int { self.added + self.changed + self.removed }

        fileprivate mutating func count(_ kind: Change.Kind) {
            switch kind {
            case .added: self.added += 1
            case .changed: self.changed += 1
            case .removed: self.removed += 1
            }
        }
    }

    package struct Level: Hashable, Sendable {
        /// Nil for the venue-wide part.
        package let id: FeatureID?
        package let ordinal: Int?
        package let tally: Tally
    }

    package struct TypeCount: Hashable, Sendable {
        package let type: FeatureType
        package let tally: Tally
    }

    package let tally: Tally
    /// Those with a change: the venue-wide part first, then by ordinal and id; levels without a known ordinal last.
    package let levels: [Level]
    /// Those with a change, the standard types first.
    package let types: [TypeCount]

    /// Counts changes; `ordinals` holds those of the levels before and after.
    package init(of changes: [Change], ordinals: [FeatureID: Int] = [:]) {
        var tally = Tally()
        var levels: [FeatureID?: Tally] = [:]
        var types: [FeatureType: Tally] = [:]
        for change in changes {
            tally.count(change.kind)
            levels[change.level, default: Tally()].count(change.kind)
            types[change.type, default: Tally()].count(change.kind)
        }
        let order = LevelOrder(ordinals)
        self.tally = tally
        self.levels = levels.sorted { order.precedes($0.key, $1.key) }.map { id, tally in
            Level(id: id, ordinal: id.flatMap { ordinals[$0] }, tally: tally)
        }
        self.types = types.sorted { $0.key.precedes($1.key) }.map { TypeCount(type: $0.key, tally: $0.value) }
    }
}

/// The order in which levels are listed.
struct LevelOrder {
    private let ordinals: [FeatureID: Int]

    init(_ ordinals: [FeatureID: Int]) {
        self.ordinals = ordinals
    }

    func precedes(_ left: FeatureID?, _ right: FeatureID?) -> Bool {
        guard let left, let right else { return left == nil && right != nil }
        switch (self.ordinals[left], self.ordinals[right]) {
        case (let here?, let there?) where here != there: return here < there
        case (.some, nil): return true
        case (nil, .some): return false
        default: return left < right
        }
    }
}

extension FeatureType {
    /// The standard order, then other types by their bytes.
    func precedes(_ other: FeatureType) -> Bool {
        self.rank == other.rank
            ? self.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8) : self.rank < other.rank
    }
}
