import IMDF

/// Equivalence classes of features, by the numbers of the features: equal values belong to one class; -1 for features without one.
struct EquivalenceClasses: Sendable {
    var stored: [Int32]
    var arrived: [Int32]

    init(stored: Int, arrived: Int) {
        self.stored = Array(repeating: -1, count: stored)
        self.arrived = Array(repeating: -1, count: arrived)
    }
}

extension Matching {
    /// Decides whether a pair may be joined.
    typealias Confirmation = (Matching, Pair) -> Bool

    /// What distinguishes features of one class, the strongest first.
    enum TieBreaker: CaseIterable {
        /// References in both directions.
        case references
        /// The features that they refer to.
        case targets
        /// The features that refer to them.
        case sources
        /// Their level.
        case level
    }

    /// The limit of rounds. Real archives need a few; each takes time linear in the number of unmatched features.
    private static let rounds = 24

    /// Joins features of one class if they are unambiguous, and repeats that with what the new pairs make unambiguous.
    mutating func joinUnambiguous(_ classes: EquivalenceClasses, confirm: Confirmation) {
        rounds: for _ in 0..<Self.rounds {
            self.joinSingles(classes, confirm)
            self.follow(classes, confirm: confirm)
            for tieBreaker in TieBreaker.allCases where self.join(classes, by: tieBreaker, confirm) { continue rounds }
            return
        }
    }

    /// The limit of candidates that are tried for each feature.
    private static let trials = 16

    /// Joins features of one class in the order of their ids.
    mutating func joinInOrder(_ classes: EquivalenceClasses, confirm: Confirmation) {
        let groups = self.groups(classes, by: { Key(classNumber: $1) }, { Key(classNumber: $1) })
        for group in groups {
            var arrived = group.arrived[...]
            for stored in group.stored {
                let index = arrived.indices.prefix(Self.trials).first {
                    confirm(self, Pair(stored: stored, arrived: arrived[$0]))
                }
                guard let index else { continue }
                arrived.swapAt(index, arrived.startIndex)
                self.join(Pair(stored: stored, arrived: arrived.removeFirst()))
            }
        }
    }

    /// Joins features that are the only unmatched ones of their class on both sides; features without a level first, because levels are
    /// among them.
    private mutating func joinSingles(_ classes: EquivalenceClasses, _ confirm: Confirmation) {
        let count = Int(max(classes.stored.max() ?? -1, classes.arrived.max() ?? -1)) + 1
        let stored = Self.singles(classes.stored, self.ofStored, count: count)
        let arrived = Self.singles(classes.arrived, self.ofArrived, count: count)
        for hasLevel in [false, true] {
            for number in classes.stored.indices where (self.stored.levels[number] >= 0) == hasLevel {
                let classNumber = Int(classes.stored[number])
                guard classNumber >= 0, stored[classNumber] == Int32(number), arrived[classNumber] >= 0 else {
                    continue
                }
                let pair = Pair(stored: Int32(number), arrived: arrived[classNumber])
                if self.isFree(pair), confirm(self, pair) { self.join(pair) }
            }
        }
    }

    /// For every class its only unmatched feature; less than 0 if there is none or more than one.
    static func singles(_ classes: [Int32], _ matches: [Int32], count: Int) -> [Int32] {
        var singles = [Int32](repeating: -1, count: count)
        for number in classes.indices where classes[number] >= 0 && matches[number] < 0 {
            let classNumber = Int(classes[number])
            singles[classNumber] = singles[classNumber] == -1 ? Int32(number) : -2
        }
        return singles
    }

    /// Joins features of one class for which a tie breaker is equal. Several such features are interchangeable, unless one of their
    /// references leads to an unmatched feature.
    private mutating func join(_ classes: EquivalenceClasses, by tieBreaker: TieBreaker, _ confirm: Confirmation)
        -> Bool
    {
        let groups = self.groups(
            classes, by: { self.key(ofStored: $0, classNumber: $1, tieBreaker) },
            { self.key(ofArrived: $0, classNumber: $1, tieBreaker) })
        var hasJoined = false
        for group in groups where !group.stored.isEmpty && !group.arrived.isEmpty {
            let isSingle = group.stored.count == 1 && group.arrived.count == 1
            // The level alone does not distinguish features on it. References may do so later.
            guard isSingle || !group.key.isOpen && tieBreaker != .level else { continue }
            for (stored, arrived) in zip(group.stored, group.arrived) {
                let pair = Pair(stored: stored, arrived: arrived)
                guard confirm(self, pair) else { continue }
                self.join(pair)
                hasJoined = true
            }
        }
        return hasJoined
    }

    struct Key: Hashable {
        let classNumber: Int32
        var targets: UInt64 = 0
        var sources: UInt64 = 0
        var level: Int32 = -1
        /// Whether a reference leads to an unmatched feature.
        var isOpen = false
    }

    struct Group {
        let key: Key
        var stored: [Int32] = []
        var arrived: [Int32] = []
    }

    /// Unmatched features grouped by key, in the order of the first stored one. Groups without a stored one are omitted.
    private func groups(
        _ classes: EquivalenceClasses, by storedKey: (Int32, Int32) -> Key?, _ arrivedKey: (Int32, Int32) -> Key?
    ) -> [Group] {
        var groups: [Group] = []
        var indices: [Key: Int] = [:]
        for number in self.ofStored.indices where self.ofStored[number] < 0 && classes.stored[number] >= 0 {
            guard let key = storedKey(Int32(number), classes.stored[number]) else { continue }
            if let index = indices[key] {
                groups[index].stored.append(Int32(number))
            } else {
                indices[key] = groups.count
                groups.append(Group(key: key, stored: [Int32(number)]))
            }
        }
        for number in self.ofArrived.indices where self.ofArrived[number] < 0 && classes.arrived[number] >= 0 {
            guard let key = arrivedKey(Int32(number), classes.arrived[number]), let index = indices[key] else {
                continue
            }
            groups[index].arrived.append(Int32(number))
        }
        return groups
    }

    // MARK: - Keys, with the numbers of stored features

    private func key(ofStored number: Int32, classNumber: Int32, _ tieBreaker: TieBreaker) -> Key? {
        self.key(
            classNumber, tieBreaker, targets: self.stored.targets.of(number), sources: self.stored.sources.of(number),
            level: self.stored.levels[Int(number)]
        ) { self.ofStored[Int($0)] < 0 ? -1 : $0 }
    }

    private func key(ofArrived number: Int32, classNumber: Int32, _ tieBreaker: TieBreaker) -> Key? {
        let level = self.arrived.levels[Int(number)]
        return self.key(
            classNumber, tieBreaker, targets: self.arrived.targets.of(number), sources: self.arrived.sources.of(number),
            level: level < 0 ? -1 : self.ofArrived[Int(level)]
        ) { self.ofArrived[Int($0)] }
    }

    /// Nil if the tie breaker does not apply.
    private func key(
        _ classNumber: Int32, _ tieBreaker: TieBreaker, targets: ArraySlice<ReferenceLists.End>,
        sources: ArraySlice<ReferenceLists.End>, level: Int32,
        match: (Int32) -> Int32
    ) -> Key? {
        var key = Key(classNumber: classNumber)
        switch tieBreaker {
        case .level:
            guard level >= 0 else { return nil }
            key.level = level
            return key
        case .references, .targets, .sources:
            var isKnown = false
            if tieBreaker != .sources { key.targets = Self.sum(targets, match, &isKnown, &key.isOpen) }
            if tieBreaker != .targets { key.sources = Self.sum(sources, match, &isKnown, &key.isOpen) }
            return isKnown ? key : nil
        }
    }

    /// A hash of all references that does not depend on their order.
    private static func sum(
        _ ends: ArraySlice<ReferenceLists.End>, _ match: (Int32) -> Int32, _ isKnown: inout Bool, _ isOpen: inout Bool
    ) -> UInt64 {
        var sum: UInt64 = 0
        for end in ends {
            let feature = match(end.feature)
            if feature < 0 { isOpen = true } else { isKnown = true }
            sum &+= Self.mixed(UInt64(end.property) << 32 | UInt64(UInt32(bitPattern: feature)))
        }
        return sum
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
