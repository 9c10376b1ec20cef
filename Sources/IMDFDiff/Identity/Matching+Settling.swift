import IMDF

/// What features look like: equal numbers look alike; -1 for those that are not looked at.
struct EquivalenceClasses: Sendable {
    var stored: [Int32]
    var arrived: [Int32]

    init(stored: Int, arrived: Int) {
        self.stored = Array(repeating: -1, count: stored)
        self.arrived = Array(repeating: -1, count: arrived)
    }
}

extension Matching {
    /// Has the last word on a pair.
    typealias Confirmation = (Matching, Pair) -> Bool

    /// What tells features apart that look alike, the strongest first.
    enum TieBreaker: CaseIterable {
        /// Everything that they refer to and that refers to them.
        case references
        /// What they refer to.
        case targets
        /// What refers to them.
        case sources
        /// The floor that they are on.
        case level
    }

    /// More rounds than anything but a puzzle needs; each takes time that is linear in what is left.
    private static let rounds = 24

    /// Joins what looks alike and cannot be anything else, as far as that goes.
    mutating func settle(_ looks: EquivalenceClasses, confirm: Confirmation) {
        rounds: for _ in 0..<Self.rounds {
            self.joinSingles(looks, confirm)
            self.follow(looks, confirm: confirm)
            for clue in TieBreaker.allCases where self.join(looks, by: clue, confirm) { continue rounds }
            return
        }
    }

    /// How many of those that look alike are tried for each feature.
    private static let trials = 16

    /// Joins what looks alike in the order of ids: for features that nothing tells apart.
    mutating func pairOff(_ looks: EquivalenceClasses, confirm: Confirmation) {
        for group in self.groups(looks, by: { _, look in Key(look: look) }, { _, look in Key(look: look) }) {
            var arrived = group.arrived[...]
            for stored in group.stored {
                let place = arrived.indices.prefix(Self.trials).first {
                    confirm(self, Pair(stored: stored, arrived: arrived[$0]))
                }
                guard let place else { continue }
                arrived.swapAt(place, arrived.startIndex)
                self.join(Pair(stored: stored, arrived: arrived.removeFirst()))
            }
        }
    }

    /// Joins those that are the only ones to look as they do on both sides; what is on no floor first, because floors are.
    private mutating func joinSingles(_ looks: EquivalenceClasses, _ confirm: Confirmation) {
        let count = Int(max(looks.stored.max() ?? -1, looks.arrived.max() ?? -1)) + 1
        let stored = Self.singles(looks.stored, self.ofStored, count: count)
        let arrived = Self.singles(looks.arrived, self.ofArrived, count: count)
        for isOnFloor in [false, true] {
            for number in looks.stored.indices where (self.stored.levels[number] >= 0) == isOnFloor {
                let look = Int(looks.stored[number])
                guard look >= 0, stored[look] == Int32(number), arrived[look] >= 0 else { continue }
                let pair = Pair(stored: Int32(number), arrived: arrived[look])
                if self.isFree(pair), confirm(self, pair) { self.join(pair) }
            }
        }
    }

    /// For every look the only free feature that has it; less than 0 when there is none or more than one.
    private static func singles(_ looks: [Int32], _ partners: [Int32], count: Int) -> [Int32] {
        var singles = [Int32](repeating: -1, count: count)
        for number in looks.indices where looks[number] >= 0 && partners[number] < 0 {
            let look = Int(looks[number])
            singles[look] = singles[look] == -1 ? Int32(number) : -2
        }
        return singles
    }

    /// Joins those that look alike and agree in a clue. Where several do, they agree in all that was asked, so any of them
    /// will do; but not while some reference leads to what is not known yet.
    private mutating func join(_ looks: EquivalenceClasses, by clue: TieBreaker, _ confirm: Confirmation) -> Bool {
        let groups = self.groups(
            looks, by: { self.key(ofStored: $0, look: $1, clue) }, { self.key(ofArrived: $0, look: $1, clue) })
        var hasJoined = false
        for group in groups where !group.stored.isEmpty && !group.arrived.isEmpty {
            let isSingle = group.stored.count == 1 && group.arrived.count == 1
            // A floor alone does not tell two lookalikes on it apart: something else may, later.
            guard isSingle || !group.key.isOpen && clue != .level else { continue }
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
        let look: Int32
        var targets: UInt64 = 0
        var sources: UInt64 = 0
        var level: Int32 = -1
        /// Whether a reference leads to something without a partner.
        var isOpen = false
    }

    struct Group {
        let key: Key
        var stored: [Int32] = []
        var arrived: [Int32] = []
    }

    /// Free features by key, in the order of the first stored one; only groups with a stored one.
    private func groups(
        _ looks: EquivalenceClasses, by storedKey: (Int32, Int32) -> Key?, _ arrivedKey: (Int32, Int32) -> Key?
    ) -> [Group] {
        var groups: [Group] = []
        var places: [Key: Int] = [:]
        for number in self.ofStored.indices where self.ofStored[number] < 0 && looks.stored[number] >= 0 {
            guard let key = storedKey(Int32(number), looks.stored[number]) else { continue }
            if let place = places[key] {
                groups[place].stored.append(Int32(number))
            } else {
                places[key] = groups.count
                groups.append(Group(key: key, stored: [Int32(number)]))
            }
        }
        for number in self.ofArrived.indices where self.ofArrived[number] < 0 && looks.arrived[number] >= 0 {
            guard let key = arrivedKey(Int32(number), looks.arrived[number]), let place = places[key] else { continue }
            groups[place].arrived.append(Int32(number))
        }
        return groups
    }

    // MARK: - Keys, in the numbers of the stored features

    private func key(ofStored number: Int32, look: Int32, _ clue: TieBreaker) -> Key? {
        self.key(
            look, clue, targets: self.stored.targets.of(number), sources: self.stored.sources.of(number),
            level: self.stored.levels[Int(number)]
        ) { self.ofStored[Int($0)] < 0 ? -1 : $0 }
    }

    private func key(ofArrived number: Int32, look: Int32, _ clue: TieBreaker) -> Key? {
        let level = self.arrived.levels[Int(number)]
        return self.key(
            look, clue, targets: self.arrived.targets.of(number), sources: self.arrived.sources.of(number),
            level: level < 0 ? -1 : self.ofArrived[Int(level)]
        ) { self.ofArrived[Int($0)] }
    }

    /// Nil when the clue says nothing.
    private func key(
        _ look: Int32, _ clue: TieBreaker, targets: ArraySlice<ReferenceLists.End>,
        sources: ArraySlice<ReferenceLists.End>, level: Int32,
        partner: (Int32) -> Int32
    ) -> Key? {
        var key = Key(look: look)
        switch clue {
        case .level:
            guard level >= 0 else { return nil }
            key.level = level
            return key
        case .references, .targets, .sources:
            var isKnown = false
            if clue != .sources { key.targets = Self.sum(targets, partner, &isKnown, &key.isOpen) }
            if clue != .targets { key.sources = Self.sum(sources, partner, &isKnown, &key.isOpen) }
            return isKnown ? key : nil
        }
    }

    /// A number for all ends together, whatever their order.
    private static func sum(
        _ ends: ArraySlice<ReferenceLists.End>, _ partner: (Int32) -> Int32, _ isKnown: inout Bool, _ isOpen: inout Bool
    ) -> UInt64 {
        var sum: UInt64 = 0
        for end in ends {
            let feature = partner(end.feature)
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
