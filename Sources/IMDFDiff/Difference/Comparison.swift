package import IMDF

/// Compares the state of a venue in the store with the one in an archive, feature by feature with the same id.
///
/// It takes two steps, because the stored bodies lie in a database and only few of them matter. Digests tell at once which
/// features are untouched; of the others ``needBodies`` lists those that are on both sides, and ``resolve(_:parse:)`` takes
/// their stored bodies, in as many batches as the caller likes. ``difference()`` then has the answer.
///
/// Ids that came and went are taken at their word here: whoever knows that a new id is an old feature says so before, by
/// giving the candidate the stored id.
package struct Comparison: Sendable {
    private let stored: [StoredFeature]
    private let candidates: [CandidateFeature]
    private let sameness: Equivalence

    /// On both sides, with different digests: their stored bodies decide. Sorted.
    package let needBodies: [FeatureID]
    /// The candidate for each of ``needBodies``.
    private let needed: [Int]
    private var verdicts: [ChangeClasses?]

    /// What was found out about one body, to be handed to ``record(_:)``.
    package struct Verdict: Hashable, Sendable {
        fileprivate let place: Int
        fileprivate let classes: ChangeClasses
    }

    /// Takes both sides sorted by id, each id once.
    package init(stored: [StoredFeature], candidates: [CandidateFeature]) {
        assert(zip(stored, stored.dropFirst()).allSatisfy { $0.id < $1.id }, "stored features are sorted by id")
        assert(
            zip(candidates, candidates.dropFirst()).allSatisfy { $0.feature.id < $1.feature.id },
            "candidates are sorted by id")
        self.stored = stored
        self.candidates = candidates
        var (ids, needBodies, needed): ([FeatureID], [FeatureID], [Int]) = ([], [], [])
        ids.reserveCapacity(max(stored.count, candidates.count))
        Self.merge(stored, candidates) { before, candidate in
            guard let candidate else { return ids.append(contentsOf: before.map { [$0.id] } ?? []) }
            let after = candidates[candidate]
            ids.append(after.feature.id)
            guard let before, before.bodyDigest != after.bodyDigest else { return }
            needBodies.append(before.id)
            needed.append(candidate)
        }
        self.needBodies = needBodies
        self.needed = needed
        self.verdicts = Array(repeating: nil, count: needed.count)
        self.sameness = Equivalence { [ids] id in ids.place(of: id) != nil }
    }

    /// Judges features by their stored bodies. Bodies that nobody asked for are passed over.
    ///
    /// - Throws: what `parse` throws.
    package mutating func resolve<Failure: Error>(
        _ bodies: some Sequence<StoredBody>, parse: ([UInt8]) throws(Failure) -> JSONValue
    ) throws(Failure) {
        for body in bodies {
            guard let verdict = try self.verdict(on: body, parse: parse) else { continue }
            self.record(verdict)
        }
    }

    /// The first half of ``resolve(_:parse:)``, for callers that judge several batches at a time.
    package func verdict<Failure: Error>(
        on body: StoredBody, parse: ([UInt8]) throws(Failure) -> JSONValue
    ) throws(Failure) -> Verdict? {
        guard let place = self.needBodies.place(of: body.id) else { return nil }
        let before = try parse(body.body)
        let after = try parse(self.candidates[self.needed[place]].feature.body)
        return Verdict(place: place, classes: self.sameness.classes(from: before, to: after))
    }

    /// The second half of ``resolve(_:parse:)``.
    package mutating func record(_ verdict: Verdict) {
        self.verdicts[verdict.place] = verdict.classes
    }
}

/// Stored bodies that were asked for and did not come: the caller read another state than the one it compares with.
package struct MissingBodies: Error, Hashable, Sendable {
    package let ids: [FeatureID]

    package init(ids: [FeatureID]) {
        self.ids = ids
    }
}

extension Comparison {
    /// What turns the stored state into the archive's.
    ///
    /// - Throws: ``MissingBodies`` unless every body in ``needBodies`` was resolved.
    package func difference() throws(MissingBodies) -> Difference {
        let missing = zip(self.needBodies, self.verdicts).filter { $0.1 == nil }.map(\.0)
        guard missing.isEmpty else { throw MissingBodies(ids: missing) }

        var (changes, versions, kept): ([Change], [FeatureVersion], [FeatureID]) = ([], [], [])
        var judged = 0
        Self.merge(self.stored, self.candidates) { before, candidate in
            guard let candidate else {
                changes += before.map { [Change(removing: $0)] } ?? []
                return
            }
            let after = self.candidates[candidate]
            guard let before else {
                changes.append(Change(adding: after))
                versions.append(FeatureVersion(of: after))
                return
            }
            var bodyClasses: ChangeClasses = []
            if before.bodyDigest != after.bodyDigest {
                bodyClasses = self.verdicts[judged] ?? []
                judged += 1
                if bodyClasses.isEmpty { kept.append(before.id) }
            }
            let change = Change(from: before, to: after, bodyClasses: bodyClasses)
            if !change.classes.isEmpty { changes.append(change) }
            guard
                !change.classes.isEmpty || before.touches != after.placement.touches
                    || before.generation != after.placement.generation
            else { return }
            versions.append(
                bodyClasses.isEmpty
                    ? FeatureVersion(of: after, keeping: before)
                    : FeatureVersion(of: after))
        }
        return Difference(changes: changes, versions: versions, kept: kept)
    }

    /// Walks both sides in the order of their ids; at least one of the two is there.
    private static func merge(
        _ stored: [StoredFeature], _ candidates: [CandidateFeature],
        _ body: (_ before: StoredFeature?, _ candidate: Int?) -> Void
    ) {
        var (here, there) = (0, 0)
        while here < stored.count || there < candidates.count {
            if there == candidates.count || here < stored.count && stored[here].id < candidates[there].feature.id {
                body(stored[here], nil)
                here += 1
            } else if here == stored.count || candidates[there].feature.id < stored[here].id {
                body(nil, there)
                there += 1
            } else {
                body(stored[here], there)
                here += 1
                there += 1
            }
        }
    }
}

extension [FeatureID] {
    /// Where an id stands in this sorted list.
    package func place(of id: FeatureID) -> Int? {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < self.count && self[low] == id ? low : nil
    }
}
