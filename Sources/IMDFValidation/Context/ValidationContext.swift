package import IMDF

/// An archive as the rules see it: its features by id and by type, their levels, and their references in both directions.
package struct ValidationContext: Sendable {
    /// By id, so that nothing depends on the order in which they were written.
    package let features: [ValidationFeature]
    package let manifest: JSONObject?
    /// The manifest's `language` in lower case.
    let manifestLanguage: String?
    /// Whether the archive declares an extension, which may define what the standard does not.
    package let hasExtension: Bool
    /// The time of the check, in seconds since 1970.
    package let now: Double
    package let previous: PreviousRevision?
    /// Features whose geometries cross the antimeridian without being cut there. If there are any, all features have longitudes from 0° to
    /// 360°.
    let uncutFeatures: [ValidationFeature]
    /// What was found while the archive was read.
    package let readingFindings: [Finding]
    /// Whether features of the archive could not be read, so that a feature that is missing here may exist.
    package let isIncomplete: Bool
    /// The cost of reading the properties of every feature once.
    let readingCost: Int

    private let indices: [FeatureID: Int]
    private let indicesByType: [FeatureType: [Int]]
    private let referrers: [FeatureID: [Referrer]]
    private let levels: [Placement]
    /// The needs that each feature meets, in the order of the features.
    private let metNeeds: [Rule.Needs]

    /// A feature that refers to another one, and the role of the reference.
    private struct Referrer {
        let index: Int
        let role: Reference.Role
    }

    /// - Parameters:
    ///   - features: in any order, no two with the same id.
    ///   - now: seconds since 1970.
    /// - Complexity: O(*n* log *n*) in the number of features and references.
    package init(
        features: [ValidationFeature], manifest: JSONObject?, now: Double,
        previous: PreviousRevision? = nil, readingFindings: [Finding] = [], isIncomplete: Bool = false
    ) {
        var features = features.sorted { $0.id < $1.id }
        self.uncutFeatures = Antimeridian.uncut(features)
        if !self.uncutFeatures.isEmpty { features = features.map(ValidationFeature.init(movingEast:)) }
        self.features = features
        self.manifest = manifest
        self.manifestLanguage = manifest?["language"]?.string?.lowercased()
        self.hasExtension = (manifest?["extensions"]?.array ?? []).contains {
            $0.string.map(ExtensionID.isValid) ?? false
        }
        self.now = now
        self.previous = previous
        self.readingFindings = readingFindings
        self.isIncomplete = isIncomplete
        self.readingCost = features.reduce(0) { $0 + $1.readingCost }
        var indices: [FeatureID: Int] = Dictionary(minimumCapacity: features.count)
        var indicesByType: [FeatureType: [Int]] = [:]
        var referrers: [FeatureID: [Referrer]] = [:]
        for (index, feature) in features.enumerated() {
            indices[feature.id] = index
            indicesByType[feature.type, default: []].append(index)
            for reference in feature.references where reference.role != .undeclared {
                referrers[reference.target, default: []].append(Referrer(index: index, role: reference.role))
            }
        }
        self.indices = indices
        self.indicesByType = indicesByType
        self.referrers = referrers
        self.levels = LevelAssignment.placements(of: features)
        self.metNeeds = features.map { feature in
            var needs: Rule.Needs = []
            if feature.properties != nil { needs.insert(.properties) }
            if feature.isLocated { needs.insert(.geometry) }
            let hasValidReferences = DeclaredReference.all(in: feature).allSatisfy { reference in
                guard let target = reference.target, let index = indices[target] else { return false }
                return reference.requiredType == nil || features[index].type == reference.requiredType
            }
            if hasValidReferences { needs.insert(.references) }
            return needs
        }
    }
}

// MARK: - Features

extension ValidationContext {
    package subscript(id: FeatureID) -> ValidationFeature? { self.indices[id].map { self.features[$0] } }

    /// The feature of a type with an id; nil if there is none, or one of another type.
    func feature(_ id: FeatureID?, _ type: FeatureType) -> ValidationFeature? {
        guard let id, let feature = self[id], feature.type == type else { return nil }
        return feature
    }

    /// By id.
    func features(of type: FeatureType) -> [ValidationFeature] {
        (self.indicesByType[type] ?? []).map { self.features[$0] }
    }

    /// The features of a type that meet the needs of a rule, by id.
    func features(of type: FeatureType, meeting needs: Rule.Needs) -> [ValidationFeature] {
        // The other needs are not those of a feature.
        let needs = needs.intersection([.properties, .references, .geometry])
        return (self.indicesByType[type] ?? []).filter { self.metNeeds[$0].isSuperset(of: needs) }
            .map { self.features[$0] }
    }

    func count(of type: FeatureType) -> Int { self.indicesByType[type]?.count ?? 0 }

    /// Types that occur, standard ones first.
    var types: [FeatureType] {
        self.indicesByType.keys.sorted { ($0.rank, $0.rawValue) < ($1.rank, $1.rawValue) }
    }

    var venue: ValidationFeature? { self.indicesByType[.venue]?.first.map { self.features[$0] } }

    /// The level that a feature belongs to; nil if it belongs to the venue-wide part.
    func level(of feature: ValidationFeature) -> ValidationFeature? {
        guard let index = self.indices[feature.id] else { return nil }
        return self.feature(self.levels[index].level, .level)
    }

    /// The levels that a feature belongs to or touches. The run pays for each of them.
    func levels(of feature: ValidationFeature, in run: RuleRun) throws -> [FeatureID] {
        guard let index = self.indices[feature.id] else { return [] }
        let levels = self.levels[index].level.map { [$0] } ?? self.levels[index].touches
        try run.spend(10 * levels.count)
        return levels
    }
}

// MARK: - References

extension ValidationContext {
    /// The features of a type that refer to a feature, each once, by id. The run pays for reading each of them.
    func referrers(
        to feature: ValidationFeature, of type: FeatureType, as role: Reference.Role, in run: RuleRun
    ) throws -> [ValidationFeature] {
        try run.spend(self.referrers[feature.id]?.count ?? 0)
        let referrers = self.referrers(to: feature, of: type) { $0 == role }
        try run.spend(referrers.reduce(0) { $0 + $1.readingCost })
        return referrers
    }

    private func referrers(
        to feature: ValidationFeature, of type: FeatureType, where isIncluded: (Reference.Role) -> Bool
    ) -> [ValidationFeature] {
        var last: Int?
        return (self.referrers[feature.id] ?? []).compactMap { referrer in
            guard referrer.index != last, isIncluded(referrer.role), self.features[referrer.index].type == type
            else { return nil }
            last = referrer.index
            return self.features[referrer.index]
        }
    }

    /// Whether a feature of a type, or of any type, refers to a feature.
    ///
    /// - Complexity: O(*n*) in the number of references to the feature.
    func isReferenced(_ feature: ValidationFeature, by type: FeatureType? = nil, as role: Reference.Role) -> Bool {
        (self.referrers[feature.id] ?? []).contains { referrer in
            referrer.role == role && (type == nil || self.features[referrer.index].type == type)
        }
    }

    /// Where a feature can be shown on a map: at its own display point or geometry, otherwise at those of a feature that it
    /// refers to or that refers to it.
    func point(of feature: ValidationFeature) -> Position? {
        if let geometry = feature.geometry { return feature.displayPoint ?? geometry.middle }
        switch feature.type {
        case .occupant: return self.feature(feature.id("anchor_id"), .anchor)?.geometry?.middle
        case .building:
            return feature.displayPoint
                ?? self.referrers(to: feature, of: .footprint) { _ in true }
                .lazy.compactMap { $0.geometry?.middle }.first
        case .relationship:
            return feature["origin"]?["id"]?.string.flatMap { FeatureID($0) }.flatMap { self[$0]?.geometry?.middle }
        default: return feature.defects.lazy.compactMap(\.position).first
        }
    }
}
