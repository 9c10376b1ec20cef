package import IMDF

/// An archive as rules look at it: its features by id and by type, where they lead and what leads to them.
package struct ValidationContext: Sendable {
    /// By id, so that nothing depends on the order in which they were written.
    package let features: [Subject]
    package let manifest: JSONObject?
    /// The entry's name in the archive.
    package let manifestFile: String?
    /// The moment that rules take for now, in seconds since 1970.
    package let now: Double
    package let previous: PreviousRevision?
    /// What was found while the archive was read.
    package let doorFindings: [Finding]

    private let places: [FeatureID: Int]
    private let placesByType: [FeatureType: [Int]]
    private let referrers: [FeatureID: [Referrer]]
    private let levels: [Placement]
    /// Of every feature what it has, in the order of the features.
    private let assets: [Rule.Needs]

    /// A feature that refers to another one, and in which role.
    package struct Referrer: Sendable {
        let place: Int
        package let role: Reference.Role
    }

    /// - Parameters:
    ///   - features: in any order, no two with one id.
    ///   - now: seconds since 1970.
    /// - Complexity: O(*n* log *n*) in the number of features and references.
    package init(
        features: [Subject], manifest: JSONObject?, manifestFile: String? = "manifest.json", now: Double,
        previous: PreviousRevision? = nil, doorFindings: [Finding] = []
    ) {
        let features = features.sorted { $0.id < $1.id }
        self.features = features
        self.manifest = manifest
        self.manifestFile = manifestFile
        self.now = now
        self.previous = previous
        self.doorFindings = doorFindings
        var places: [FeatureID: Int] = Dictionary(minimumCapacity: features.count)
        var placesByType: [FeatureType: [Int]] = [:]
        var referrers: [FeatureID: [Referrer]] = [:]
        for (place, feature) in features.enumerated() {
            places[feature.id] = place
            placesByType[feature.type, default: []].append(place)
            for reference in feature.references where reference.role != .undeclared {
                referrers[reference.target, default: []].append(Referrer(place: place, role: reference.role))
            }
        }
        self.places = places
        self.placesByType = placesByType
        self.referrers = referrers
        self.levels = LevelAssignment.placements(of: features)
        self.assets = features.map { feature in
            var assets: Rule.Needs = []
            if feature.properties != nil { assets.insert(.properties) }
            if feature.isLocated { assets.insert(.geometry) }
            let isSettled = DeclaredReference.all(in: feature).allSatisfy { reference in
                guard let target = reference.target, let place = places[target] else { return false }
                return reference.wanted == nil || features[place].type == reference.wanted
            }
            if isSettled { assets.insert(.references) }
            return assets
        }
    }
}

// MARK: - Features

extension ValidationContext {
    package subscript(id: FeatureID) -> Subject? { self.places[id].map { self.features[$0] } }

    /// The feature of a type with an id; nil when the id names nothing, or something else.
    package func feature(_ id: FeatureID?, _ type: FeatureType) -> Subject? {
        guard let id, let feature = self[id], feature.type == type else { return nil }
        return feature
    }

    /// By id.
    package func features(of type: FeatureType) -> [Subject] {
        (self.placesByType[type] ?? []).map { self.features[$0] }
    }

    /// The features of a type that have what a rule needs, by id.
    package func features(of type: FeatureType, meeting needs: Rule.Needs) -> [Subject] {
        (self.placesByType[type] ?? []).filter { self.meets(needs, at: $0) }.map { self.features[$0] }
    }

    package func count(of type: FeatureType) -> Int { self.placesByType[type]?.count ?? 0 }

    /// Types that occur, standard ones first.
    package var types: [FeatureType] {
        self.placesByType.keys.sorted { ($0.rank, $0.rawValue) < ($1.rank, $1.rawValue) }
    }

    package func meets(_ needs: Rule.Needs, _ feature: Subject) -> Bool {
        self.places[feature.id].map { self.meets(needs, at: $0) } ?? false
    }

    /// Needs that are no feature's are met here.
    private func meets(_ needs: Rule.Needs, at place: Int) -> Bool {
        self.assets[place].isSuperset(of: needs.intersection([.properties, .references, .geometry]))
    }

    package var venue: Subject? { self.placesByType[.venue]?.first.map { self.features[$0] } }
}

// MARK: - References

extension ValidationContext {
    /// The features of a type that refer to a feature, each once, by id.
    package func referrers(
        to feature: Subject, of type: FeatureType? = nil, as role: Reference.Role? = nil
    ) -> [Subject] {
        var last: Int?
        return (self.referrers[feature.id] ?? []).compactMap { referrer in
            guard referrer.place != last, role == nil || referrer.role == role,
                type == nil || self.features[referrer.place].type == type
            else { return nil }
            last = referrer.place
            return self.features[referrer.place]
        }
    }

    /// Whether a feature of a type refers to a feature.
    package func isReferredTo(_ feature: Subject, by type: FeatureType? = nil, as role: Reference.Role) -> Bool {
        (self.referrers[feature.id] ?? []).contains { referrer in
            referrer.role == role && (type == nil || self.features[referrer.place].type == type)
        }
    }

    /// The level that a feature belongs to; nil for what is venue-wide.
    package func level(of feature: Subject) -> Subject? {
        guard let place = self.places[feature.id] else { return nil }
        return self.feature(self.levels[place].level, .level)
    }

    /// The levels that a feature belongs to or touches.
    package func levels(of feature: Subject) -> [FeatureID] {
        guard let place = self.places[feature.id] else { return [] }
        return self.levels[place].level.map { [$0] } ?? self.levels[place].touches
    }

    /// Where a feature can be shown on a map: its own label position or geometry, else that of what it hangs on.
    package func point(of feature: Subject) -> Position? {
        if let geometry = feature.geometry { return feature.displayPoint ?? geometry.middle }
        switch feature.type {
        case .occupant: return self.feature(feature.id("anchor_id"), .anchor)?.geometry?.middle
        case .building:
            return feature.displayPoint
                ?? self.referrers(to: feature, of: .footprint).lazy.compactMap { $0.geometry?.middle }.first
        case .relationship:
            return feature["origin"]?["id"]?.string.flatMap { FeatureID($0) }.flatMap { self[$0]?.geometry?.middle }
        default: return feature.defects.lazy.compactMap(\.position).first
        }
    }
}
