import IMDF

/// What the pairs found so far say about one that is not.
extension Matching {
    /// What so many refer to tells none of them from the others: a floor, the address of the house.
    private static let company = 16
    /// At most so many references of a feature are looked at for every pair that it may be part of.
    private static let looks = 256

    /// How much there is that both refer to, and that refers to both, as far as that says anything.
    func share(_ pair: Pair) -> Int {
        let targets = Set(
            self.stored.targets.of(pair.stored).prefix(Self.looks).filter { self.isTelling($0, self.stored.sources) })
        return Set(self.arrived.targets.of(pair.arrived).prefix(Self.looks))
            .count { targets.contains(self.inStored($0)) }
            + self.sharedSources(pair)
    }

    /// How much there is that refers to both.
    func sharedSources(_ pair: Pair) -> Int {
        let sources = Set(
            self.stored.sources.of(pair.stored).prefix(Self.looks).filter { self.isTelling($0, self.stored.targets) })
        return Set(self.arrived.sources.of(pair.arrived).prefix(Self.looks))
            .count { sources.contains(self.inStored($0)) }
    }

    /// Whether both are held by something, and by nothing in common.
    func areHeldApart(_ pair: Pair) -> Bool {
        !self.stored.sources.of(pair.stored).isEmpty && !self.arrived.sources.of(pair.arrived).isEmpty
            && self.sharedSources(pair) == 0
    }

    private func isTelling(_ end: ReferenceLists.End, _ back: ReferenceLists) -> Bool {
        back.of(end.feature).count <= Self.company
    }

    /// How the floors of two features stand to each other.
    enum Floors {
        /// Both are on the same floor, or on none.
        case same
        /// Nobody knows yet whether their floors are the same.
        case unknown
        /// One may have gone from floor to floor, both of which are there in both states, or to or from none.
        case other
        /// One of the floors is in one state only, as a copy of a floor is.
        case apart
    }

    func floors(of pair: Pair) -> Floors {
        let (here, there) = (self.stored.levels[Int(pair.stored)], self.arrived.levels[Int(pair.arrived)])
        guard here >= 0, there >= 0 else { return here < 0 && there < 0 ? .same : .other }
        let (partner, other) = (self.ofStored[Int(here)], self.ofArrived[Int(there)])
        if partner == there { return .same }
        return partner < 0 && other < 0 ? .unknown : partner >= 0 && other >= 0 ? .other : .apart
    }

    private func inStored(_ end: ReferenceLists.End) -> ReferenceLists.End {
        ReferenceLists.End(property: end.property, feature: self.ofArrived[Int(end.feature)])
    }
}
