package import IMDF

/// What happened to one feature between two states of a venue.
package struct Change: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case added, changed, removed
    }

    package let id: FeatureID
    package let kind: Kind
    /// The type after the change; of a removed feature, the type before.
    package let type: FeatureType
    /// The type before the change, if it was another one.
    package let typeBefore: FeatureType?
    /// Nil for the venue-wide part and for an added feature.
    package let levelBefore: FeatureID?
    /// Nil for the venue-wide part and for a removed feature.
    package let levelAfter: FeatureID?
    /// What differs: at least one class for a changed feature, none for an added or removed one.
    package let classes: ChangeClasses
    /// The occupants that an anchor took along to another unit of its level. They have moved, although they are not changed themselves.
    package fileprivate(set) var movedOccupants = 0
    /// Whether all occupants at an anchor with other references came from other anchors of its level. They have moved, and what else is
    /// different about the anchor, such as the address that they brought along, is a part of that.
    package fileprivate(set) var isTakenOver = false

    package init(
        id: FeatureID, kind: Kind, type: FeatureType, typeBefore: FeatureType? = nil, levelBefore: FeatureID?,
        levelAfter: FeatureID?, classes: ChangeClasses = []
    ) {
        self.id = id
        self.kind = kind
        self.type = type
        self.typeBefore = typeBefore == type ? nil : typeBefore
        self.levelBefore = levelBefore
        self.levelAfter = levelAfter
        self.classes = classes
    }

    /// The level for which the change is counted: the new one, or the old one of a removed feature.
    package var level: FeatureID? { self.kind == .removed ? self.levelBefore : self.levelAfter }
}

extension Change {
    init(adding feature: ArchiveFeature) {
        self.init(
            id: feature.feature.id, kind: .added, type: feature.feature.type, levelBefore: nil,
            levelAfter: feature.placement.level)
    }

    init(removing feature: StoredFeature) {
        self.init(
            id: feature.id, kind: .removed, type: feature.type, levelBefore: feature.level, levelAfter: nil)
    }

    init(from before: StoredFeature, to after: ArchiveFeature, bodyClasses: ChangeClasses) {
        let hasMoved = before.level != after.placement.level
        self.init(
            id: before.id, kind: .changed, type: after.feature.type, typeBefore: before.type, levelBefore: before.level,
            levelAfter: after.placement.level, classes: hasMoved ? bodyClasses.union(.level) : bodyClasses)
    }
}

extension [Change] {
    /// Whether an anchor may have taken occupants along, so that ``countMovedOccupants(_:)`` is worth its work.
    package var haveMovedAnchors: Bool { self.contains(where: \.isOfMovedAnchor) }

    /// Counts the occupants that anchors took along, and finds the anchors that other occupants have taken over.
    ///
    /// - Parameter occupants: Occupants after the changes, with their anchors.
    package mutating func countMovedOccupants(_ occupants: some Sequence<(occupant: FeatureID, anchor: FeatureID)>) {
        var found: [FeatureID: AnchoredOccupants] = [:]
        for change in self where change.isOfMovedAnchor { found[change.id] = AnchoredOccupants() }
        guard !found.isEmpty else { return }
        let isRelocated = Dictionary(
            self.lazy.filter { $0.type == .occupant && $0.hasMoved }.map { ($0.id, $0.isRelocated) },
            uniquingKeysWith: { first, _ in first })
        for (occupant, anchor) in occupants {
            switch isRelocated[occupant] {
            case nil: found[anchor]?.stayed += 1
            case true?: found[anchor]?.relocated += 1
            case false?: found[anchor]?.others += 1
            }
        }
        for index in self.indices {
            let occupants = found[self[index].id] ?? AnchoredOccupants()
            self[index].movedOccupants = occupants.stayed
            self[index].isTakenOver = occupants.relocated > 0 && occupants.stayed + occupants.others == 0
        }
    }
}

/// The occupants that refer to an anchor.
private struct AnchoredOccupants {
    /// Those that did not move themselves.
    var stayed = 0
    /// Those that had another anchor of the same level before, and are described as moved.
    var relocated = 0
    /// Those that are new, were on another level, or are described in another way.
    var others = 0
}

extension Change {
    fileprivate var isOfMovedAnchor: Bool {
        self.kind == .changed && self.type == .anchor && self.classes.contains(.reference)
    }

    fileprivate var hasMoved: Bool { self.kind == .added || !self.classes.isDisjoint(with: [.level, .reference]) }

    /// Whether an occupant was there before, on the same level, and its description says that it has moved.
    fileprivate var isRelocated: Bool { Event(self) == .relocated }
}

/// A new version of a feature to be stored.
package struct FeatureVersion: Hashable, Sendable {
    /// The source of the body.
    package enum Body: Hashable, Sendable {
        /// The stored body stays, byte for byte.
        case stored
        case new([UInt8])
    }

    package let id: FeatureID
    package let type: FeatureType
    package let level: FeatureID?
    package let touches: [FeatureID]
    package let depth: Int
    package let body: Body
    package let bodyDigest: Digest

    package init(
        id: FeatureID, type: FeatureType, level: FeatureID?, touches: [FeatureID], depth: Int, body: Body,
        bodyDigest: Digest
    ) {
        self.id = id
        self.type = type
        self.level = level
        self.touches = touches
        self.depth = depth
        self.body = body
        self.bodyDigest = bodyDigest
    }
}

extension FeatureVersion {
    /// The feature of the archive with its own body.
    init(of feature: ArchiveFeature) {
        self.init(feature, body: .new(feature.feature.body), bodyDigest: feature.bodyDigest)
    }

    /// The placement in the archive with the stored body.
    init(of feature: ArchiveFeature, keeping stored: StoredFeature) {
        self.init(feature, body: .stored, bodyDigest: stored.bodyDigest)
    }

    private init(_ feature: ArchiveFeature, body: Body, bodyDigest: Digest) {
        self.init(
            id: feature.feature.id, type: feature.feature.type, level: feature.placement.level,
            touches: feature.placement.touches, depth: feature.placement.depth, body: body,
            bodyDigest: bodyDigest)
    }
}

/// The changes from one state of a venue to another.
package struct Difference: Sendable {
    /// Sorted by id.
    package let changes: [Change]
    /// The new versions, sorted by id: of added and changed features, and of features that only touch other levels or have another
    /// depth than before, which do not count as changes.
    package let versions: [FeatureVersion]
    /// Features whose body is written differently but is equivalent: the stored body stays. Sorted by id.
    package let equivalent: [FeatureID]

    package init(changes: [Change], versions: [FeatureVersion], equivalent: [FeatureID]) {
        self.changes = changes
        self.versions = versions
        self.equivalent = equivalent
    }
}

extension Difference {
    /// The features after the difference was stored.
    ///
    /// - Parameter stored: The state before, sorted by id, with which the difference was computed.
    package func applied(to stored: [StoredFeature]) -> [StoredFeature] {
        guard !self.versions.isEmpty || !self.changes.isEmpty else { return stored }
        let removed = self.changes.lazy.filter { $0.kind == .removed }.map(\.id)
        let ended = Set(removed).union(self.versions.lazy.map(\.id))
        let added = self.versions.map { version in
            StoredFeature(
                id: version.id, type: version.type, level: version.level, touches: version.touches,
                depth: version.depth, bodyDigest: version.bodyDigest)
        }
        return (stored.filter { !ended.contains($0.id) } + added).sorted { $0.id < $1.id }
    }
}
