package import IMDF

/// What happened to one feature between two states of a venue.
package struct Change: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case added, changed, removed
    }

    package let id: FeatureID
    package let kind: Kind
    /// Its type after the change; before it, when the feature was removed.
    package let type: FeatureType
    /// Nil for the venue-wide part, and when there was no feature before.
    package let levelBefore: FeatureID?
    /// Nil for the venue-wide part, and when there is no feature after.
    package let levelAfter: FeatureID?
    /// What differs; of a changed feature at least one class, of an added or removed one none.
    package let classes: ChangeClasses

    package init(
        id: FeatureID, kind: Kind, type: FeatureType, levelBefore: FeatureID?, levelAfter: FeatureID?,
        classes: ChangeClasses = []
    ) {
        self.id = id
        self.kind = kind
        self.type = type
        self.levelBefore = levelBefore
        self.levelAfter = levelAfter
        self.classes = classes
    }

    /// The level under which the change is counted: the new one, if there is one.
    package var level: FeatureID? { self.kind == .removed ? self.levelBefore : self.levelAfter }
}

extension Change {
    init(adding feature: CandidateFeature) {
        self.init(
            id: feature.feature.id, kind: .added, type: feature.feature.type, levelBefore: nil,
            levelAfter: feature.placement.level)
    }

    init(removing feature: StoredFeature) {
        self.init(
            id: feature.id, kind: .removed, type: feature.type, levelBefore: feature.level, levelAfter: nil)
    }

    init(from before: StoredFeature, to after: CandidateFeature, bodyClasses: ChangeClasses) {
        let hasMoved = before.level != after.placement.level
        self.init(
            id: before.id, kind: .changed, type: after.feature.type, levelBefore: before.level,
            levelAfter: after.placement.level, classes: hasMoved ? bodyClasses.union(.level) : bodyClasses)
    }
}

/// A version of a feature that has to be written.
package struct FeatureVersion: Hashable, Sendable {
    /// Where its body comes from.
    package enum Body: Hashable, Sendable {
        /// What the store holds stays, byte for byte.
        case stored
        case new([UInt8])
    }

    package let id: FeatureID
    package let type: FeatureType
    package let level: FeatureID?
    package let touches: [FeatureID]
    package let generation: Int
    package let body: Body
    package let bodyDigest: Digest

    package init(
        id: FeatureID, type: FeatureType, level: FeatureID?, touches: [FeatureID], generation: Int, body: Body,
        bodyDigest: Digest
    ) {
        self.id = id
        self.type = type
        self.level = level
        self.touches = touches
        self.generation = generation
        self.body = body
        self.bodyDigest = bodyDigest
    }
}

extension FeatureVersion {
    /// The candidate as it is.
    init(of candidate: CandidateFeature) {
        self.init(candidate, body: .new(candidate.feature.body), bodyDigest: candidate.bodyDigest)
    }

    /// The candidate's place with the stored body.
    init(of candidate: CandidateFeature, keeping stored: StoredFeature) {
        self.init(candidate, body: .stored, bodyDigest: stored.bodyDigest)
    }

    private init(_ candidate: CandidateFeature, body: Body, bodyDigest: Digest) {
        self.init(
            id: candidate.feature.id, type: candidate.feature.type, level: candidate.placement.level,
            touches: candidate.placement.touches, generation: candidate.placement.generation, body: body,
            bodyDigest: bodyDigest)
    }
}

/// What turns one state of a venue into another.
package struct Difference: Sendable {
    /// Sorted by id.
    package let changes: [Change]
    /// The new versions, sorted by id: of what was added or changed, and of features which only touch other levels or stand
    /// elsewhere among their parents than before; these are no changes to a person.
    package let versions: [FeatureVersion]
    /// Features whose body was written differently and says the same: the stored one stays. Sorted by id.
    package let kept: [FeatureID]

    package init(changes: [Change], versions: [FeatureVersion], kept: [FeatureID]) {
        self.changes = changes
        self.versions = versions
        self.kept = kept
    }
}
