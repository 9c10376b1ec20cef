import IMDF

extension Matcher {
    /// Matches similar features, type by type, so that levels are known before the features on them.
    ///
    /// - Returns: whether any pair was joined.
    mutating func matchBySimilarity(_ reader: inout UnmatchedFeatureReader, _ equivalence: Equivalence) -> Bool {
        let stored = Dictionary(grouping: self.freeStored) { self.stored[Int($0)].type }
        let arrived = Dictionary(grouping: self.freeArrived) { self.arrived[Int($0)].type }
        var (hasJoined, hasPendingJoins) = (false, false)
        for type in Set(stored.keys).intersection(arrived.keys).sorted(by: { $0.precedes($1) }) {
            let joins = self.match(stored[type] ?? [], arrived[type] ?? [], &reader, equivalence)
            // There may be as many unknown types as features, so these are followed up once, after all of them.
            if joins, type.isStandard { self.joinUnambiguous(&reader, equivalence, acrossLevels: false) }
            hasJoined = hasJoined || joins
            hasPendingJoins = hasPendingJoins || joins && !type.isStandard
        }
        if hasPendingJoins { self.joinUnambiguous(&reader, equivalence, acrossLevels: false) }
        return hasJoined
    }

    /// Matches features whose type changed, if the name and the telephone number or website are equal.
    mutating func matchRetyped(_ reader: inout UnmatchedFeatureReader, _ equivalence: Equivalence) {
        _ = self.match(self.freeStored, self.freeArrived, &reader, equivalence) {
            !$0.names.isEmpty && !$0.contacts.isEmpty
        }
    }

    /// The least score of a match.
    private static let threshold = 0.6
    /// How much the score of a match has to exceed that of any other candidate of either feature.
    private static let margin = 0.04

    private struct Candidate {
        let pair: Matching.Pair
        let nearMatch: NearMatch

        /// Sorts by score; ids decide between equal scores, so that the result is deterministic.
        func precedes(_ other: Candidate) -> Bool {
            if self.nearMatch.score != other.nearMatch.score { return self.nearMatch.score > other.nearMatch.score }
            return (self.pair.stored, self.pair.arrived) < (other.pair.stored, other.pair.arrived)
        }
    }

    private mutating func match(
        _ stored: [Int32], _ arrived: [Int32], _ reader: inout UnmatchedFeatureReader, _ equivalence: Equivalence,
        where condition: (FeatureProfile) -> Bool = { _ in true }
    ) -> Bool {
        let stored = stored.filter { self.matching.ofStored[Int($0)] < 0 }.compactMap { number in
            reader.stored(number).map {
                FeatureProfile(
                    $0, number: number, type: self.stored[Int(number)].type,
                    level: self.matching.stored.levels[Int(number)], equivalence: equivalence)
            }
        }.filter(condition)
        guard !stored.isEmpty else { return false }
        let candidateIndex = CandidateIndex(stored)
        let pairs = Similarity.KnownPairs(self.matching)
        var best: [Int32: [Candidate]] = [:]
        for number in arrived where self.matching.ofArrived[Int(number)] < 0 {
            guard let body = reader.arrived(number) else { continue }
            let profile = FeatureProfile(
                body, number: number, type: self.arrived[Int(number)].type, level: self.storedLevel(ofArrived: number),
                equivalence: equivalence)
            guard condition(profile) else { continue }
            for index in candidateIndex.candidates(for: profile, among: self.matching) {
                let pair = Matching.Pair(stored: stored[index].number, arrived: number)
                self.comparisonCount += 1
                let similarity = Similarity(stored: stored[index], arrived: profile, among: pairs)
                guard let nearMatch = similarity.nearMatch, nearMatch.score >= Self.threshold else { continue }
                Self.keep(Candidate(pair: pair, nearMatch: nearMatch), among: &best[pair.stored, default: []])
            }
        }
        return self.accept(best.values.flatMap(\.self))
    }

    /// How many candidates are kept for a stored feature: the best and its rivals.
    private static let rivals = 4

    private static func keep(_ candidate: Candidate, among best: inout [Candidate]) {
        let index = best.firstIndex { candidate.precedes($0) } ?? best.count
        guard index < Self.rivals else { return }
        best.insert(candidate, at: index)
        if best.count > Self.rivals { best.removeLast() }
    }

    /// The stored number of the level of an arrived feature; -1 if it is not known.
    private func storedLevel(ofArrived number: Int32) -> Int32 {
        let level = self.matching.arrived.levels[Int(number)]
        return level < 0 ? -1 : self.matching.ofArrived[Int(level)]
    }

    /// Joins the best pairs that are clearly better than any other candidate of both features.
    private mutating func accept(_ candidates: [Candidate]) -> Bool {
        let ranked = candidates.sorted { $0.precedes($1) }
        var (ofStored, ofArrived): ([Int32: [Candidate]], [Int32: [Candidate]]) = ([:], [:])
        for candidate in ranked {
            ofStored[candidate.pair.stored, default: []].append(candidate)
            ofArrived[candidate.pair.arrived, default: []].append(candidate)
        }
        var contested: (stored: Set<Int32>, arrived: Set<Int32>) = ([], [])
        var hasJoined = false
        for candidate in ranked where self.matching.isFree(candidate.pair) {
            let pair = candidate.pair
            if contested.stored.contains(pair.stored) || contested.arrived.contains(pair.arrived) { continue }
            let rivals = (ofStored[pair.stored] ?? []) + (ofArrived[pair.arrived] ?? [])
            let isContested = rivals.contains {
                $0.pair != pair && self.matching.isFree($0.pair)
                    && $0.nearMatch.score > candidate.nearMatch.score - Self.margin
            }
            if isContested {
                contested.stored.insert(pair.stored)
                contested.arrived.insert(pair.arrived)
                continue
            }
            self.matching.join(pair)
            self.nearMatches[pair.arrived] = candidate.nearMatch
            hasJoined = true
        }
        return hasJoined
    }
}
