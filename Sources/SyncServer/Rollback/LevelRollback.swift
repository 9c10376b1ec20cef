import IMDF
import IMDFArchive
import RevisionStore

/// Taking some levels back: which features come from the earlier revision, which stay as they are now, and whether that makes
/// a venue. Of the bodies only what they refer to is kept.
///
/// To a set of levels belong what is placed on them, the level features themselves, and what is venue-wide and touches levels
/// of the set only. Of that the new state has what the earlier revision had; of everything else, what there is now.
struct LevelRollback {
    let levels: Set<FeatureID>
    private(set) var features: [EndFeature] = []
    private var numbers: [FeatureID: Int] = [:]
    /// Every type once, so that its name is kept once.
    private var types: [FeatureType: FeatureType] = [:]
    private let reader = JSONReader()

    init(levels: Set<FeatureID>) {
        self.levels = levels
    }

    /// Reads both revisions.
    init(
        of levels: Set<FeatureID>, in venue: VenueRecord, to then: Int64, from store: RevisionStore
    ) async throws {
        self.init(levels: levels)
        var rollback = self
        try await store.comparedVersions(of: venue, at: venue.head, or: then) { try rollback.add($0) }
        rollback.features.sort { $0.id < $1.id }
        rollback.numbers = Dictionary(uniqueKeysWithValues: zip(rollback.features.map(\.id), 0...))
        self = rollback
    }

    private mutating func add(_ version: ComparedVersion) throws {
        let type = self.types[version.type] ?? version.type
        self.types[type] = type
        let end = EndFeature.Version(
            type: type, placement: version.placement, fromRevision: version.fromRevision, digest: version.digest)
        let number = self.numbers[version.feature] ?? self.features.count
        if number == self.features.count {
            self.numbers[version.feature] = number
            self.features.append(EndFeature(id: version.feature))
        }
        if version.holdsNow { self.features[number].now = end }
        if version.heldThen { self.features[number].then = end }
        let belongs = self.contains(end, version.feature)
        // What the set had then goes before what there is now.
        if version.heldThen, belongs {
            self.features[number].references = try self.reader.references(of: version.body, type: type)
        } else if version.holdsNow, !belongs, self.origin(of: self.features[number]) == .now {
            self.features[number].references = try self.reader.references(of: version.body, type: type)
        }
    }

    func feature(_ id: FeatureID) -> EndFeature? {
        self.numbers[id].map { self.features[$0] }
    }

    // MARK: - The new state

    /// Which of the two revisions a feature of the new state comes from.
    enum Origin {
        case now, then
    }

    /// Whether a version belongs to the levels.
    func contains(_ version: EndFeature.Version, _ id: FeatureID) -> Bool {
        let levels = version.levels(of: id)
        return !levels.isEmpty && levels.allSatisfy(self.levels.contains)
    }

    /// Where the new state has a feature from; nil when it does not have it.
    func origin(of feature: EndFeature) -> Origin? {
        if let then = feature.then, self.contains(then, feature.id) { return .then }
        if let now = feature.now, !self.contains(now, feature.id) { return .now }
        return nil
    }

    /// The version of a feature that the new state has.
    func version(of feature: EndFeature) -> EndFeature.Version? {
        switch self.origin(of: feature) {
        case .now: feature.now
        case .then: feature.then
        case nil: nil
        }
    }
}

/// A feature at the two ends of a rollback.
struct EndFeature {
    struct Version {
        let type: FeatureType
        let placement: Placement
        let fromRevision: Int64
        let digest: Digest

        /// The levels that it stands on, touches, or is.
        func levels(of id: FeatureID) -> [FeatureID] {
            self.type == .level ? [id] : self.placement.levels
        }
    }

    let id: FeatureID
    var now: Version?
    var then: Version?
    /// Of the version that the new state has.
    var references: [Reference] = []

    init(id: FeatureID) {
        self.id = id
    }
}

extension Placement {
    /// The level, or those that are touched.
    var levels: [FeatureID] { self.level.map { [$0] } ?? self.touches }

    /// Whether another one is the same to whoever asks for a level.
    func isWhere(_ other: Placement) -> Bool {
        self.level == other.level && self.touches == other.touches
    }
}
