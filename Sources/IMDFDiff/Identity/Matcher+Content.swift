import IMDF

extension Matcher {
    /// Matches features with equal content digests.
    package mutating func matchByContent(stored digests: [ContentDigest], arrived: [ContentDigest]) {
        self.matching.connect(digests, arrived)
        for digest in digests where digest.isDistinctive {
            guard let number = self.matching.stored.number(of: digest.id) else { continue }
            self.distinctive[Int(number)] = true
            self.named[Int(number)] = digest.isNamed
        }
        self.contents = self.contentClasses(digests, arrived)
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
    private func contentClasses(_ stored: [ContentDigest], _ arrived: [ContentDigest]) -> EquivalenceClasses {
        var numbers: [Digest: Int32] = [:]
        var classes = EquivalenceClasses(stored: self.stored.count, arrived: self.arrived.count)
        for digest in stored {
            guard let number = self.matching.stored.number(of: digest.id), self.matching.ofStored[Int(number)] < 0
            else { continue }
            let next = Int32(numbers.count)
            let group = numbers[digest.content] ?? next
            if group == next { numbers[digest.content] = next }
            classes.stored[Int(number)] = group
        }
        for digest in arrived {
            guard let group = numbers[digest.content], let number = self.matching.arrived.number(of: digest.id),
                self.matching.ofArrived[Int(number)] < 0
            else { continue }
            classes.arrived[Int(number)] = group
        }
        return classes
    }
}
