import IMDF

extension Matcher {
    /// Matches features that are alike, type by type, so that floors are known before what stands on them.
    ///
    /// - Returns: whether there were any.
    mutating func matchByResemblance(_ reader: inout UnmatchedFeatureReader, _ sameness: Equivalence) -> Bool {
        let stored = Dictionary(grouping: self.freeStored) { self.stored[Int($0)].type }
        let arrived = Dictionary(grouping: self.freeArrived) { self.arrived[Int($0)].type }
        var (hasJoined, isUnsettled) = (false, false)
        for type in Set(stored.keys).intersection(arrived.keys).sorted(by: { $0.precedes($1) }) {
            let joins = self.match(stored[type] ?? [], arrived[type] ?? [], &reader, sameness)
            // There may be as many types as features, so those that IMDF does not know wait for each other.
            if joins, type.isStandard { self.settle(&reader, sameness, across: false) }
            hasJoined = hasJoined || joins
            isUnsettled = isUnsettled || joins && !type.isStandard
        }
        if isUnsettled { self.settle(&reader, sameness, across: false) }
        return hasJoined
    }

    /// Matches what came under another type, where a shop's name and telephone or website say that it is the same.
    mutating func matchRetyped(_ reader: inout UnmatchedFeatureReader, _ sameness: Equivalence) {
        _ = self.match(self.freeStored, self.freeArrived, &reader, sameness) {
            !$0.names.isEmpty && !$0.contacts.isEmpty
        }
    }

    /// Candidates with less are not the same.
    private static let threshold = 0.6
    /// What a match has to be better by than any other that either side could have.
    private static let margin = 0.04

    private struct Candidate {
        let pair: Matching.Pair
        let guess: NearMatch

        /// The better one first, and of equal ones always the same.
        func precedes(_ other: Candidate) -> Bool {
            if self.guess.score != other.guess.score { return self.guess.score > other.guess.score }
            return (self.pair.stored, self.pair.arrived) < (other.pair.stored, other.pair.arrived)
        }
    }

    private mutating func match(
        _ stored: [Int32], _ arrived: [Int32], _ reader: inout UnmatchedFeatureReader, _ sameness: Equivalence,
        where condition: (FeatureProfile) -> Bool = { _ in true }
    ) -> Bool {
        let stored = stored.filter { self.partners.ofStored[Int($0)] < 0 }.compactMap { number in
            reader.stored(number).map {
                FeatureProfile(
                    $0, number: number, type: self.stored[Int(number)].type,
                    level: self.partners.stored.levels[Int(number)], sameness: sameness)
            }
        }.filter(condition)
        guard !stored.isEmpty else { return false }
        let gallery = CandidateIndex(stored)
        var best: [Int32: [Candidate]] = [:]
        for number in arrived where self.partners.ofArrived[Int(number)] < 0 {
            guard let body = reader.arrived(number) else { continue }
            let portrait = FeatureProfile(
                body, number: number, type: self.arrived[Int(number)].type, level: self.storedLevel(ofArrived: number),
                sameness: sameness)
            guard condition(portrait) else { continue }
            for place in gallery.candidates(for: portrait, among: self.partners) {
                let pair = Matching.Pair(stored: stored[place].number, arrived: number)
                let resemblance = Similarity(stored: stored[place], arrived: portrait, among: self.partners)
                guard let guess = resemblance.guess, guess.score >= Self.threshold else { continue }
                Self.keep(Candidate(pair: pair, guess: guess), among: &best[pair.stored, default: []])
            }
        }
        return self.accept(best.values.flatMap(\.self))
    }

    /// Of the arrivals that a stored feature may be, so many are remembered: the best and its rivals.
    private static let rivals = 4

    private static func keep(_ candidate: Candidate, among best: inout [Candidate]) {
        let place = best.firstIndex { candidate.precedes($0) } ?? best.count
        guard place < Self.rivals else { return }
        best.insert(candidate, at: place)
        if best.count > Self.rivals { best.removeLast() }
    }

    /// The stored number of the level that an arrival is on; -1 when that is not known.
    private func storedLevel(ofArrived number: Int32) -> Int32 {
        let level = self.partners.arrived.levels[Int(number)]
        return level < 0 ? -1 : self.partners.ofArrived[Int(level)]
    }

    /// Joins the best pairs that are clearly better than any other for both of the two.
    private mutating func accept(_ candidates: [Candidate]) -> Bool {
        let ranked = candidates.sorted { $0.precedes($1) }
        var (ofStored, ofArrived): ([Int32: [Candidate]], [Int32: [Candidate]]) = ([:], [:])
        for candidate in ranked {
            ofStored[candidate.pair.stored, default: []].append(candidate)
            ofArrived[candidate.pair.arrived, default: []].append(candidate)
        }
        var contested: (stored: Set<Int32>, arrived: Set<Int32>) = ([], [])
        var hasJoined = false
        for candidate in ranked where self.partners.isFree(candidate.pair) {
            let pair = candidate.pair
            if contested.stored.contains(pair.stored) || contested.arrived.contains(pair.arrived) { continue }
            let rivals = (ofStored[pair.stored] ?? []) + (ofArrived[pair.arrived] ?? [])
            let isContested = rivals.contains {
                $0.pair != pair && self.partners.isFree($0.pair)
                    && $0.guess.score > candidate.guess.score - Self.margin
            }
            if isContested {
                contested.stored.insert(pair.stored)
                contested.arrived.insert(pair.arrived)
                continue
            }
            self.partners.join(pair)
            self.guesses[pair.arrived] = candidate.guess
            hasJoined = true
        }
        return hasJoined
    }
}
