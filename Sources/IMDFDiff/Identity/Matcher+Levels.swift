import IMDF

extension Matcher {
    /// The least number of features that identify a level.
    private static let leastVotes = 3

    /// Joins levels by what is on them if their own contents are equal, too. Levels whose contents are equal to those of another one than
    /// what is on them says are left to ``joinLevels(by:)``.
    mutating func joinLevelsByContent() {
        for levels in self.likelyLevels(self.contents) {
            if Self.areSame(levels.pair, self.contents) {
                self.matching.join(levels.pair)
            } else {
                self.contents.stored[Int(levels.pair.stored)] = -1
                self.contents.arrived[Int(levels.pair.arrived)] = -1
            }
        }
    }

    /// Joins levels by the features on them: those of a pair have more than half of the features that are recognized on either level.
    ///
    /// When floors are renumbered, the text of a level equals that of the next one, whose name and ordinal it has now. What is on
    /// a floor says better which one it is.
    ///
    /// - Parameter classes: a feature that is the only one of its class in both states is recognized; so are matched features.
    /// - Complexity: O(*n*) in the number of features.
    mutating func joinLevels(by classes: EquivalenceClasses) {
        for levels in self.likelyLevels(classes) {
            self.matching.join(levels.pair)
            guard !Self.areSame(levels.pair, classes) else { continue }
            self.nearMatches[levels.pair.arrived] = NearMatch(reason: .references, score: min(levels.share, 0.99))
        }
    }

    private static func areSame(_ pair: Matching.Pair, _ classes: EquivalenceClasses) -> Bool {
        let classNumber = classes.stored[Int(pair.stored)]
        return classNumber >= 0 && classNumber == classes.arrived[Int(pair.arrived)]
    }

    /// Unmatched levels that have most of the recognized features of each other, with the share of these.
    private func likelyLevels(_ classes: EquivalenceClasses) -> [(pair: Matching.Pair, share: Double)] {
        var votes: [Matching.Pair: Int] = [:]
        var (ofStored, ofArrived): ([Int32: Int], [Int32: Int]) = ([:], [:])
        for pair in self.recognized(classes) {
            let levels = Matching.Pair(
                stored: self.matching.stored.levels[Int(pair.stored)],
                arrived: self.matching.arrived.levels[Int(pair.arrived)])
            guard levels.stored >= 0, levels.arrived >= 0, self.matching.isFree(levels) else { continue }
            votes[levels, default: 0] += 1
            ofStored[levels.stored, default: 0] += 1
            ofArrived[levels.arrived, default: 0] += 1
        }
        return votes.sorted { $0.key.stored < $1.key.stored }.compactMap { levels, count in
            let all = max(ofStored[levels.stored] ?? 0, ofArrived[levels.arrived] ?? 0)
            return count >= Self.leastVotes && 2 * count > all ? (levels, Double(count) / Double(all)) : nil
        }
    }

    private func recognized(_ classes: EquivalenceClasses) -> [Matching.Pair] {
        let count = Int(max(classes.stored.max() ?? -1, classes.arrived.max() ?? -1)) + 1
        let stored = Matching.singles(classes.stored, self.matching.ofStored, count: count)
        let arrived = Matching.singles(classes.arrived, self.matching.ofArrived, count: count)
        let equal = zip(stored, arrived).compactMap { here, there in
            here >= 0 && there >= 0 && self.distinctive[Int(here)] ? Matching.Pair(stored: here, arrived: there) : nil
        }
        let matched = self.matching.ofStored.indices.compactMap { number in
            let other = self.matching.ofStored[number]
            return other >= 0 ? Matching.Pair(stored: Int32(number), arrived: other) : nil
        }
        return equal + matched
    }
}
