import IMDF

/// Who is whom so far: features of the archive and of the store, two by two.
///
/// Every new pair is followed along references, because what refers to the same thing, or is referred to by it, in the same
/// property, and is the same to look at, is the same thing if there is only one such on either side.
struct Matching: Sendable {
    private(set) var stored: FeatureTable
    private(set) var arrived: FeatureTable
    /// The arrival for each stored feature, and the other way round; -1 for none.
    private(set) var ofStored: [Int32]
    private(set) var ofArrived: [Int32]
    /// Pairs whose references were not followed yet.
    private var fresh: [Pair] = []

    struct Pair: Hashable, Sendable {
        let stored: Int32
        let arrived: Int32
    }

    init(stored: FeatureTable, arrived: FeatureTable) {
        self.stored = stored
        self.arrived = arrived
        self.ofStored = Array(repeating: -1, count: stored.ids.count)
        self.ofArrived = Array(repeating: -1, count: arrived.ids.count)
    }

    /// Takes in who refers to whom, on both sides.
    mutating func connect(_ stored: [ContentDigest], _ arrived: [ContentDigest]) {
        self.stored.connect(stored)
        self.arrived.connect(arrived)
    }

    func isFree(_ pair: Pair) -> Bool {
        self.ofStored[Int(pair.stored)] < 0 && self.ofArrived[Int(pair.arrived)] < 0
    }

    mutating func join(_ pair: Pair) {
        self.ofStored[Int(pair.stored)] = pair.arrived
        self.ofArrived[Int(pair.arrived)] = pair.stored
        self.fresh.append(pair)
    }

    /// EquivalenceClasses again at all pairs with a neighbour that has no partner yet, because there is something else to tell it by now.
    mutating func refresh() {
        var seen: Set<Int32> = []
        self.fresh = []
        for number in self.ofStored.indices where self.ofStored[number] < 0 {
            for ends in [self.stored.targets.of(Int32(number)), self.stored.sources.of(Int32(number))] {
                for end in ends where seen.insert(end.feature).inserted {
                    let arrived = self.ofStored[Int(end.feature)]
                    if arrived >= 0 { self.fresh.append(Pair(stored: end.feature, arrived: arrived)) }
                }
            }
        }
    }

    /// Follows the references of new pairs, outward until nothing new is found.
    ///
    /// - Parameter looks: what features look like; those that look different are not the same.
    /// - Complexity: O(*e* log *e*) in the number of references.
    mutating func follow(_ looks: EquivalenceClasses, confirm: Confirmation) {
        var next = 0
        while next < self.fresh.count {
            let pair = self.fresh[next]
            next += 1
            for (here, there) in [
                (self.stored.targets.of(pair.stored), self.arrived.targets.of(pair.arrived)),
                (self.stored.sources.of(pair.stored), self.arrived.sources.of(pair.arrived)),
            ] where !here.isEmpty && !there.isEmpty {
                let free = self.candidates(here, of: self.ofStored, looks.stored)
                if free.isEmpty { continue }
                let others = self.candidates(there, of: self.ofArrived, looks.arrived)
                for pair in Self.singles(free, others) where self.isFree(pair) && confirm(self, pair) {
                    self.join(pair)
                }
            }
        }
        self.fresh.removeAll(keepingCapacity: true)
    }

    private struct Candidate: Comparable {
        let property: UInt32
        let look: Int32
        let feature: Int32

        static func < (left: Candidate, right: Candidate) -> Bool {
            (left.property, left.look, left.feature) < (right.property, right.look, right.feature)
        }

        func isAlike(_ other: Candidate) -> Bool { self.property == other.property && self.look == other.look }
    }

    /// The features at the ends that have no partner yet, once for each property.
    private func candidates(_ ends: ArraySlice<ReferenceLists.End>, of partners: [Int32], _ looks: [Int32])
        -> [Candidate]
    {
        var found: [Candidate] = []
        for end in ends where partners[Int(end.feature)] < 0 && looks[Int(end.feature)] >= 0 {
            found.append(Candidate(property: end.property, look: looks[Int(end.feature)], feature: end.feature))
        }
        if found.count > 1 {
            found.sort()
            var unique: [Candidate] = []
            for candidate in found where unique.last != candidate { unique.append(candidate) }
            return unique
        }
        return found
    }

    /// Pairs of those that are the only ones of their property and look on both sides. Takes both sorted.
    private static func singles(_ stored: [Candidate], _ arrived: [Candidate]) -> [Pair] {
        var pairs: [Pair] = []
        var (here, there) = (0, 0)
        while here < stored.count, there < arrived.count {
            let (one, other) = (stored[here], arrived[there])
            guard one.isAlike(other) else {
                if (one.property, one.look) < (other.property, other.look) { here += 1 } else { there += 1 }
                continue
            }
            let (first, second) = (here, there)
            while here < stored.count, stored[here].isAlike(one) { here += 1 }
            while there < arrived.count, arrived[there].isAlike(one) { there += 1 }
            if here == first + 1, there == second + 1 {
                pairs.append(Pair(stored: one.feature, arrived: other.feature))
            }
        }
        return pairs
    }
}
