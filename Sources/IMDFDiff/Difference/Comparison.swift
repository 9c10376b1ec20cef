package import IMDF

/// Compares the stored state of a venue with an archive, feature by feature with the same id.
///
/// This takes two steps, because the stored bodies are in a database and few of them are needed. Digests determine which features
/// are unchanged. Of the others ``neededBodies`` lists those on both sides; ``resolve(_:parse:)`` takes their stored bodies, in any
/// number of batches. Then ``difference()`` returns the result.
///
/// Features are compared by id only. To compare a new id with an existing feature, give the new one the stored id first.
package struct Comparison: Sendable {
    private let stored: [StoredFeature]
    private let features: [ArchiveFeature]
    private let equivalence: Equivalence

    /// Features on both sides with different digests, whose stored bodies are needed. Sorted.
    package let neededBodies: [FeatureID]
    /// The index in ``features`` of each of ``neededBodies``.
    private let needed: [Int]
    private var verdicts: [ChangeClasses?]

    /// The result for one body, to be passed to ``record(_:)``.
    package struct Verdict: Hashable, Sendable {
        fileprivate let index: Int
        fileprivate let classes: ChangeClasses
    }

    /// - Parameter isKnown: Whether an id is that of a feature which is on neither side because it is not compared.
    /// - Precondition: both sides are sorted by id, and ids are unique.
    package init(
        stored: [StoredFeature], features: [ArchiveFeature],
        isKnown: @escaping @Sendable (FeatureID) -> Bool = { _ in false }
    ) {
        assert(zip(stored, stored.dropFirst()).allSatisfy { $0.id < $1.id }, "stored features are sorted by id")
        assert(
            zip(features, features.dropFirst()).allSatisfy { $0.feature.id < $1.feature.id },
            "features of the archive are sorted by id")
        self.stored = stored
        self.features = features
        var (ids, neededBodies, needed): ([FeatureID], [FeatureID], [Int]) = ([], [], [])
        ids.reserveCapacity(max(stored.count, features.count))
        Self.merge(stored, features) { before, index in
            guard let index else { return ids.append(contentsOf: before.map { [$0.id] } ?? []) }
            ids.append(features[index].feature.id)
            guard let before, before.bodyDigest != features[index].bodyDigest else { return }
            neededBodies.append(before.id)
            needed.append(index)
        }
        self.neededBodies = neededBodies
        self.needed = needed
        self.verdicts = Array(repeating: nil, count: needed.count)
        self.equivalence = Equivalence { [ids] id in ids.sortedIndex(of: id) != nil || isKnown(id) }
    }

    /// Compares features with their stored bodies. Bodies that are not needed are ignored.
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

    /// The first half of ``resolve(_:parse:)``, for callers that compare several batches at the same time.
    package func verdict<Failure: Error>(
        on body: StoredBody, parse: ([UInt8]) throws(Failure) -> JSONValue
    ) throws(Failure) -> Verdict? {
        guard let index = self.neededBodies.sortedIndex(of: body.id) else { return nil }
        let before = try parse(body.body)
        let after = try parse(self.features[self.needed[index]].feature.body)
        return Verdict(index: index, classes: self.equivalence.classes(from: before, to: after))
    }

    /// The second half of ``resolve(_:parse:)``.
    package mutating func record(_ verdict: Verdict) {
        self.verdicts[verdict.index] = verdict.classes
    }
}

/// Needed bodies were not resolved: the caller read another state than the one that it compares with.
package struct MissingBodies: Error, Hashable, Sendable {
    package let ids: [FeatureID]

    package init(ids: [FeatureID]) {
        self.ids = ids
    }
}

extension Comparison {
    /// The changes from the stored state to the archive.
    ///
    /// - Throws: ``MissingBodies`` unless every body in ``neededBodies`` was resolved.
    package func difference() throws(MissingBodies) -> Difference {
        let missing = zip(self.neededBodies, self.verdicts).filter { $0.1 == nil }.map(\.0)
        guard missing.isEmpty else { throw MissingBodies(ids: missing) }

        var (changes, versions, equivalent): ([Change], [FeatureVersion], [FeatureID]) = ([], [], [])
        var resolved = 0
        Self.merge(self.stored, self.features) { before, index in
            guard let index else {
                changes += before.map { [Change(removing: $0)] } ?? []
                return
            }
            let after = self.features[index]
            guard let before else {
                changes.append(Change(adding: after))
                versions.append(FeatureVersion(of: after))
                return
            }
            var bodyClasses: ChangeClasses = []
            if before.bodyDigest != after.bodyDigest {
                bodyClasses = self.verdicts[resolved] ?? []
                resolved += 1
                if bodyClasses.isEmpty { equivalent.append(before.id) }
            }
            let change = Change(from: before, to: after, bodyClasses: bodyClasses)
            if !change.classes.isEmpty { changes.append(change) }
            guard
                !change.classes.isEmpty || before.touches != after.placement.touches
                    || before.depth != after.placement.depth
            else { return }
            versions.append(
                bodyClasses.isEmpty
                    ? FeatureVersion(of: after, keeping: before)
                    : FeatureVersion(of: after))
        }
        if changes.haveMovedAnchors {
            changes.countMovedOccupants(self.features.lazy.compactMap { feature in feature.feature.anchor })
        }
        return Difference(changes: changes, versions: versions, equivalent: equivalent)
    }

    /// Visits both sides in the order of ids. At least one of the two arguments is not nil.
    private static func merge(
        _ stored: [StoredFeature], _ features: [ArchiveFeature],
        _ body: (_ before: StoredFeature?, _ index: Int?) -> Void
    ) {
        var (here, there) = (0, 0)
        while here < stored.count || there < features.count {
            if there == features.count || here < stored.count && stored[here].id < features[there].feature.id {
                body(stored[here], nil)
                here += 1
            } else if here == stored.count || features[there].feature.id < stored[here].id {
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

extension Feature {
    /// The anchor of an occupant; nil for other types.
    fileprivate var anchor: (occupant: FeatureID, anchor: FeatureID)? {
        guard self.type == .occupant else { return nil }
        return self.references.first { $0.role == .anchor }.map { (self.id, $0.target) }
    }
}
