import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// The rollback of some levels: which features come from the earlier revision, which stay, and whether the result is a consistent
/// venue. References are all that is kept of the bodies.
///
/// To a set of levels belong the features placed on them, the level features themselves, and the venue-wide features that touch
/// only levels of the set. The new state has those as the earlier revision has them, and everything else as the head has it.
struct LevelRollback {
    let levels: Set<FeatureID>
    private(set) var features: [RollbackFeature] = []
    private var indices: [FeatureID: Int] = [:]
    /// Every type once, so that its name is kept once.
    private var types: [FeatureType: FeatureType] = [:]
    private let reader = JSONReader()

    init(levels: Set<FeatureID>) {
        self.levels = levels
    }

    /// Reads both revisions.
    init(
        of levels: Set<FeatureID>, in venue: VenueRecord, to target: Int64, from store: RevisionStore
    ) async throws {
        self.init(levels: levels)
        var rollback = self
        try await store.comparedVersions(of: venue, at: venue.head, or: target) { try rollback.add($0) }
        rollback.features.sort { $0.id < $1.id }
        rollback.indices = Dictionary(uniqueKeysWithValues: zip(rollback.features.map(\.id), 0...))
        self = rollback
    }

    private mutating func add(_ version: ComparedVersion) throws {
        let type = self.types[version.type] ?? version.type
        self.types[type] = type
        let added = RollbackFeature.Version(
            type: type, placement: version.placement, fromRevision: version.fromRevision, digest: version.digest)
        let index = self.indices[version.feature] ?? self.features.count
        if index == self.features.count {
            self.indices[version.feature] = index
            self.features.append(RollbackFeature(id: version.feature))
        }
        if version.holdsNow { self.features[index].current = added }
        if version.heldThen { self.features[index].earlier = added }
        let belongs = self.contains(added, version.feature)
        // The earlier version of a feature that belongs to the levels takes precedence over its current version.
        if version.heldThen, belongs {
            self.features[index].references = try self.reader.references(of: version.body, type: type)
        } else if version.holdsNow, !belongs, self.origin(of: self.features[index]) == .current {
            self.features[index].references = try self.reader.references(of: version.body, type: type)
        }
    }

    func feature(_ id: FeatureID) -> RollbackFeature? {
        self.indices[id].map { self.features[$0] }
    }

    // MARK: - The new state

    /// The revision that a feature of the new state comes from: the head, or the one that is restored.
    enum Origin {
        case current, earlier
    }

    /// Whether a version belongs to the levels.
    func contains(_ version: RollbackFeature.Version, _ id: FeatureID) -> Bool {
        let levels = version.levels(of: id)
        return !levels.isEmpty && levels.allSatisfy(self.levels.contains)
    }

    /// The revision from which the new state has a feature; nil when it does not have the feature.
    func origin(of feature: RollbackFeature) -> Origin? {
        if let earlier = feature.earlier, self.contains(earlier, feature.id) { return .earlier }
        if let current = feature.current, !self.contains(current, feature.id) { return .current }
        return nil
    }

    /// The version of a feature that the new state has.
    func version(of feature: RollbackFeature) -> RollbackFeature.Version? {
        switch self.origin(of: feature) {
        case .current: feature.current
        case .earlier: feature.earlier
        case nil: nil
        }
    }
}

/// A feature at the head and at the revision that is restored.
struct RollbackFeature {
    struct Version {
        let type: FeatureType
        let placement: Placement
        let fromRevision: Int64
        let digest: Digest

        /// The levels that the feature is placed on or touches; of a level feature, that level.
        func levels(of id: FeatureID) -> [FeatureID] {
            self.type == .level ? [id] : self.placement.levels
        }
    }

    let id: FeatureID
    var current: Version?
    var earlier: Version?
    /// Of the version that the new state has.
    var references: [Reference] = []

    init(id: FeatureID) {
        self.id = id
    }
}

extension Placement {
    /// The level of the feature, or the levels that it touches.
    var levels: [FeatureID] { self.level.map { [$0] } ?? self.touches }

    /// Whether a reader who selects levels sees no difference between this placement and another.
    func selectsSameLevels(as other: Placement) -> Bool {
        self.level == other.level && self.touches == other.touches
    }
}
