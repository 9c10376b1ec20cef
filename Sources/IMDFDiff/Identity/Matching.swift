import IMDF

/// The pairs of stored and arrived features that were matched so far.
///
/// The references of each new pair are followed: if exactly one unmatched feature of a class refers to a matched feature by a property,
/// or is referred to by it, in both states, these two features are the same.
struct Matching: Sendable {
    private(set) var stored: NumberedFeatures
    private(set) var arrived: NumberedFeatures
    /// The matched arrived feature of each stored feature, and vice versa; -1 if there is none.
    private(set) var ofStored: [Int32]
    private(set) var ofArrived: [Int32]
    /// Pairs whose references have not been followed.
    private var unfollowed: [Pair] = []

    struct Pair: Hashable, Sendable {
        let stored: Int32
        let arrived: Int32
    }

    init(stored: NumberedFeatures, arrived: NumberedFeatures) {
        self.stored = stored
        self.arrived = arrived
        self.ofStored = Array(repeating: -1, count: stored.ids.count)
        self.ofArrived = Array(repeating: -1, count: arrived.ids.count)
    }

    /// Adds the references of both states, each on a core of its own.
    ///
    /// - Returns: The digests with the numbers of their features.
    mutating func connect(
        _ stored: [ContentDigest], _ arrived: [ContentDigest]
    ) async -> (stored: [NumberedFeatures.NumberedDigest], arrived: [NumberedFeatures.NumberedDigest]) {
        func connected(
            _ table: NumberedFeatures, _ digests: [ContentDigest]
        ) -> (table: NumberedFeatures, digests: [NumberedFeatures.NumberedDigest]) {
            let digests = table.numbered(digests)
            return (table.connected(digests), digests)
        }
        async let other = connected(self.arrived, arrived)
        let one = connected(self.stored, stored)
        (self.stored, self.arrived) = (one.table, await other.table)
        return (one.digests, await other.digests)
    }

    func isFree(_ pair: Pair) -> Bool {
        self.ofStored[Int(pair.stored)] < 0 && self.ofArrived[Int(pair.arrived)] < 0
    }

    mutating func join(_ pair: Pair) {
        self.ofStored[Int(pair.stored)] = pair.arrived
        self.ofArrived[Int(pair.arrived)] = pair.stored
        self.unfollowed.append(pair)
    }

    /// Marks all pairs with an unmatched neighbor to be followed again, because other classes or pairs are known now.
    mutating func followAgain() {
        var seen: Set<Int32> = []
        self.unfollowed = []
        for number in self.ofStored.indices where self.ofStored[number] < 0 {
            for ends in [self.stored.targets.of(Int32(number)), self.stored.sources.of(Int32(number))] {
                for end in ends where seen.insert(end.feature).inserted {
                    let arrived = self.ofStored[Int(end.feature)]
                    if arrived >= 0 { self.unfollowed.append(Pair(stored: end.feature, arrived: arrived)) }
                }
            }
        }
    }

    /// Follows the references of new pairs, outward until nothing new is found.
    ///
    /// - Parameter classes: only features of one class are joined.
    /// - Complexity: O(*e* log *e*) in the number of references.
    mutating func follow(_ classes: EquivalenceClasses, confirm: Confirmation) {
        var next = 0
        while next < self.unfollowed.count {
            let pair = self.unfollowed[next]
            next += 1
            for (here, there) in [
                (self.stored.targets.of(pair.stored), self.arrived.targets.of(pair.arrived)),
                (self.stored.sources.of(pair.stored), self.arrived.sources.of(pair.arrived)),
            ] where !here.isEmpty && !there.isEmpty {
                let free = self.candidates(here, of: self.ofStored, classes.stored)
                if free.isEmpty { continue }
                let others = self.candidates(there, of: self.ofArrived, classes.arrived)
                for pair in Self.singles(free, others) where self.isFree(pair) && confirm(self, pair) {
                    self.join(pair)
                }
            }
        }
        self.unfollowed.removeAll(keepingCapacity: true)
    }

    private struct Candidate: Comparable {
        let property: UInt32
        let classNumber: Int32
        let feature: Int32

        static func < (left: Candidate, right: Candidate) -> Bool {
            (left.property, left.classNumber, left.feature) < (right.property, right.classNumber, right.feature)
        }

        func hasSameKey(as other: Candidate) -> Bool {
            self.property == other.property && self.classNumber == other.classNumber
        }
    }

    /// The unmatched features among the ends, once for each property.
    private func candidates(_ ends: ArraySlice<ReferenceLists.End>, of matches: [Int32], _ classes: [Int32])
        -> [Candidate]
    {
        var found: [Candidate] = []
        for end in ends where matches[Int(end.feature)] < 0 && classes[Int(end.feature)] >= 0 {
            found.append(
                Candidate(property: end.property, classNumber: classes[Int(end.feature)], feature: end.feature))
        }
        if found.count > 1 {
            found.sort()
            var unique: [Candidate] = []
            for candidate in found where unique.last != candidate { unique.append(candidate) }
            return unique
        }
        return found
    }

    /// Pairs of candidates that are the only ones of their property and class on both sides. Both lists are sorted.
    private static func singles(_ stored: [Candidate], _ arrived: [Candidate]) -> [Pair] {
        var pairs: [Pair] = []
        var (here, there) = (0, 0)
        while here < stored.count, there < arrived.count {
            let (one, other) = (stored[here], arrived[there])
            guard one.hasSameKey(as: other) else {
                if (one.property, one.classNumber) < (other.property, other.classNumber) {
                    here += 1
                } else {
                    there += 1
                }
                continue
            }
            let (first, second) = (here, there)
            while here < stored.count, stored[here].hasSameKey(as: one) { here += 1 }
            while there < arrived.count, arrived[there].hasSameKey(as: one) { there += 1 }
            if here == first + 1, there == second + 1 {
                pairs.append(Pair(stored: one.feature, arrived: other.feature))
            }
        }
        return pairs
    }
}
