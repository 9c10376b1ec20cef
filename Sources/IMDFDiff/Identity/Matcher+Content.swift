import IMDF

extension Matcher {
    /// Matches features with equal content digests.
    package mutating func matchByContent(stored: [ContentDigest], arrived: [ContentDigest]) async {
        let digests = await self.matching.connect(stored, arrived)
        for feature in digests.stored where feature.digest.isDistinctive {
            self.distinctive[Int(feature.number)] = true
            self.named[Int(feature.number)] = feature.digest.isNamed
        }
        self.contents = self.contentClasses(digests.stored, digests.arrived)
        self.joinLevelsByContent()
        self.joinEqualContents(acrossLevels: false)
    }

    /// Joins features with equal content if there is only one such pair.
    ///
    /// - Parameter acrossLevels: whether a feature may have moved to another level. Features are searched on their own level first,
    ///   because a new level is often a copy of an old one.
    mutating func joinEqualContents(acrossLevels: Bool) {
        let isPossible = self.isPossible(acrossLevels: acrossLevels)
        self.matching.joinUnambiguous(self.contents, confirm: isPossible)
    }

    /// Whether two features of one equivalence class may be the same.
    func isPossible(acrossLevels: Bool) -> Matching.Confirmation {
        { [distinctive, named] matching, pair in
            // A feature without distinctive content is identified by its references.
            guard distinctive[Int(pair.stored)] || matching.share(pair) > 0 else { return false }
            return switch matching.levelRelation(of: pair) {
            case .same: true
            case .unknown, .other: acrossLevels
            case .unmatched: acrossLevels && (named[Int(pair.stored)] || matching.share(pair) > 0)
            }
        }
    }

    /// Classes of unmatched features with equal content digests.
    private func contentClasses(
        _ stored: [NumberedFeatures.NumberedDigest], _ arrived: [NumberedFeatures.NumberedDigest]
    ) -> EquivalenceClasses {
        var groups = [Digest: Int32](minimumCapacity: stored.count)
        var classes = EquivalenceClasses(stored: self.stored.count, arrived: self.arrived.count)
        for feature in stored where self.matching.ofStored[Int(feature.number)] < 0 {
            let next = Int32(groups.count)
            let group = groups[feature.digest.content] ?? next
            if group == next { groups[feature.digest.content] = next }
            classes.stored[Int(feature.number)] = group
        }
        for feature in arrived where self.matching.ofArrived[Int(feature.number)] < 0 {
            if let group = groups[feature.digest.content] { classes.arrived[Int(feature.number)] = group }
        }
        return classes
    }
}
