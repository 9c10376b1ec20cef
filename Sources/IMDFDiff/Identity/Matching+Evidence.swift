import IMDF

// Evidence for a pair from the pairs that were joined before.
extension Matching {
    /// A reference to a feature with more references than this is no evidence, such as one to a level or to the address of the venue.
    private static let maxReferrers = 16
    /// The limit of references of a feature that are compared for each pair.
    private static let maxReferences = 64

    /// The number of features that both refer to and that refer to both, as far as they are evidence.
    func share(_ pair: Pair) -> Int {
        let targets = Set(
            self.stored.targets.of(pair.stored).prefix(Self.maxReferences).filter {
                self.isEvidence($0, self.stored.sources)
            })
        return Set(self.arrived.targets.of(pair.arrived).prefix(Self.maxReferences))
            .count { targets.contains(self.inStored($0)) }
            + self.sharedSources(pair)
    }

    /// The number of features that refer to both, as far as they are evidence.
    func sharedSources(_ pair: Pair) -> Int {
        let sources = Set(
            self.stored.sources.of(pair.stored).prefix(Self.maxReferences).filter {
                self.isEvidence($0, self.stored.targets)
            })
        return Set(self.arrived.sources.of(pair.arrived).prefix(Self.maxReferences))
            .count { sources.contains(self.inStored($0)) }
    }

    /// Whether other features refer to each of the two, but none to both.
    func haveDisjointReferrers(_ pair: Pair) -> Bool {
        !self.stored.sources.of(pair.stored).isEmpty && !self.arrived.sources.of(pair.arrived).isEmpty
            && self.sharedSources(pair) == 0
    }

    private func isEvidence(_ end: ReferenceLists.End, _ back: ReferenceLists) -> Bool {
        back.of(end.feature).count <= Self.maxReferrers
    }

    /// The relation between the levels of two features.
    enum LevelRelation {
        /// Both are on the same level, or on none.
        case same
        /// Both levels are unmatched.
        case unknown
        /// The levels are different and exist in both states, or one feature has no level.
        case other
        /// One of the levels exists in one state only, such as a copy of a level.
        case unmatched
    }

    func levelRelation(of pair: Pair) -> LevelRelation {
        let (here, there) = (self.stored.levels[Int(pair.stored)], self.arrived.levels[Int(pair.arrived)])
        guard here >= 0, there >= 0 else { return here < 0 && there < 0 ? .same : .other }
        let (match, other) = (self.ofStored[Int(here)], self.ofArrived[Int(there)])
        if match == there { return .same }
        return match < 0 && other < 0 ? .unknown : match >= 0 && other >= 0 ? .other : .unmatched
    }

    private func inStored(_ end: ReferenceLists.End) -> ReferenceLists.End {
        ReferenceLists.End(property: end.property, feature: self.ofArrived[Int(end.feature)])
    }
}
