/// The levels that features lead to. Most lead to one level; sets of several levels are stored once and shared.
struct LevelReach {
    /// No level, the one level with this rank, or the set with this number.
    private enum Levels: Equatable {
        case none
        case one(Int32)
        case several(Int32)
    }

    /// The level features by id. The rank of a level is its index.
    private let levels: [FeatureID]
    private var reached: [Levels]
    /// Sets of two or more ranks, ascending, and their ids.
    private var sets: [[Int32]] = []
    private var setIDs: [[FeatureID]] = []
    private var setNumbers: [[Int32]: Int32] = [:]
    private let isLevel: [Bool]
    /// Features that have no level even if they lead to one.
    var isLost: [Bool]

    init(_ features: AssignmentIndex) {
        let numbers = features.numbers.filter { features.kind(of: $0) == .level }
            .sorted { features.id(of: $0) < features.id(of: $1) }
        self.levels = numbers.map { features.id(of: $0) }
        self.reached = Array(repeating: .none, count: features.count)
        self.isLost = Array(repeating: false, count: features.count)
        var isLevel = Array(repeating: false, count: features.count)
        for (rank, number) in zip(Int32(0)..., numbers) {
            self.reached[Int(number)] = .one(rank)
            isLevel[Int(number)] = true
        }
        self.isLevel = isLevel
    }

    func level(of number: Int32) -> FeatureID? {
        guard !self.isLevel[Int(number)], !self.isLost[Int(number)], case .one(let rank) = self.reached[Int(number)]
        else { return nil }
        return self.levels[Int(rank)]
    }

    func touches(of number: Int32) -> [FeatureID] {
        guard !self.isLevel[Int(number)] else { return [] }
        return switch self.reached[Int(number)] {
        case .one(let rank) where self.isLost[Int(number)]: [self.levels[Int(rank)]]
        case .one, .none: []
        case .several(let set): self.setIDs[Int(set)]
        }
    }

    /// Sets the levels that a feature leads to, from its placement. The levels of the placement are among the features.
    mutating func set(_ placement: Placement, of number: Int32) {
        guard !self.isLevel[Int(number)] else { return }
        // Whether a feature that leads to several levels, or to none, is lost makes no difference to features that refer to it.
        self.isLost[Int(number)] = placement.level == nil
        let levels = placement.level.map { [$0] } ?? placement.touches
        self.reached[Int(number)] = self.union(
            of: levels.compactMap { level in self.levels.sortedIndex(of: level).map { .one(Int32($0)) } })
    }

    /// Follows the edges of every feature. The targets of a component are complete before it. Features on a cycle depend on each
    /// other, so none of them has a level; each leads to the levels of its own edges outside the cycle.
    ///
    /// - Parameter count: The levels of features with greater numbers are set already.
    mutating func follow(_ graph: ReferenceGraph, upTo count: Int32) {
        var component = [Int32](repeating: -1, count: self.reached.count)
        var found: [Levels] = []
        graph.forEachComponent { members in
            for member in members { component[Int(member)] = members[0] }
            guard members[0] < count else { return }
            for member in members where !self.isLevel[Int(member)] {
                found.removeAll(keepingCapacity: true)
                var isLost = self.isLost[Int(member)] || members.count > 1
                for target in graph.targets(of: member) where component[Int(target)] != members[0] {
                    let levels = self.reached[Int(target)]
                    isLost = isLost || self.isLost[Int(target)] || levels == .none
                    if found.last != levels { found.append(levels) }
                }
                self.reached[Int(member)] = self.union(of: found)
                self.isLost[Int(member)] = isLost
            }
        }
    }

    private mutating func union(of parts: [Levels]) -> Levels {
        guard let first = parts.first else { return .none }
        if parts.allSatisfy({ $0 == first }) { return first }
        var ranks: Set<Int32> = []
        for part in parts {
            switch part {
            case .none: break
            case .one(let rank): ranks.insert(rank)
            case .several(let set): ranks.formUnion(self.sets[Int(set)])
            }
        }
        if ranks.count < 2 { return ranks.first.map { .one($0) } ?? .none }
        let sorted = ranks.sorted()
        if let known = self.setNumbers[sorted] { return .several(known) }
        let number = Int32(self.sets.count)
        self.sets.append(sorted)
        self.setIDs.append(sorted.map { self.levels[Int($0)] })
        self.setNumbers[sorted] = number
        return .several(number)
    }
}
