public import Foundation
public import IMDF

/// A revision as a map app draws it and asks it: a replica of the whole venue, or of some of its levels.
///
/// Nothing that one feature says or fails to say costs the others: what cannot be read is counted and left out, what has no
/// usable geometry has no place, what refers to nothing is passed over.
///
/// A map is a value: made once of what a replica holds, it can be asked from any thread, and is made anew after a change.
public struct VenueMap: Sendable {
    /// A feature as a replica holds it.
    public struct Entry: Hashable, Sendable {
        public var id: FeatureID
        public var type: FeatureType
        public var placement: Placement
        /// The canonical body, as it was sent.
        public var body: [UInt8]

        public init(id: FeatureID, type: FeatureType, placement: Placement, body: [UInt8]) {
            self.id = id
            self.type = type
            self.placement = placement
            self.body = body
        }

        /// A feature as it was synchronised: under a level, or nil for the venue-wide part. What it touches there is worked out.
        public init(id: FeatureID, type: FeatureType, level: FeatureID?, body: [UInt8]) {
            self.init(id: id, type: type, placement: Placement(level: level), body: body)
        }
    }

    /// By id.
    public let features: [FeatureID: MapFeature]
    /// The features whose bodies are no JSON object, by id.
    public let unreadable: [FeatureID]
    public let graph: VenueGraph
    /// Where the venue's clocks are; nil where nobody says.
    public let timeZone: TimeZone?
    /// What the archive is written in.
    public let language: String?

    /// Ids of what is placed on a level, of what touches it, and under nil of what has no level, ascending.
    let placed: [FeatureID?: [FeatureID]]
    let levels: [FeatureID: VenueGraph.Level]
    /// What may be searched for, by id.
    let terms: [SearchTerm]
    /// The occupants of each unit, by id.
    let occupants: [FeatureID: [FeatureID]]

    /// Reads what a replica holds; of entries with one id the last counts.
    ///
    /// - Parameters:
    ///   - timeZone: `about.time_zone` of a change set.
    ///   - language: `about.language`.
    /// - Complexity: O(*n* log *n*) in the number of features, beside reading their bodies once.
    public init(_ entries: some Sequence<Entry>, timeZone: String? = nil, language: String? = nil) {
        var features: [FeatureID: MapFeature] = [:]
        var unreadable: Set<FeatureID> = []
        let reader = FeatureReader()
        for entry in entries {
            guard let feature = reader.feature(of: entry) else {
                unreadable.insert(entry.id)
                continue
            }
            features[entry.id] = feature
        }
        var touched = TouchedLevels(features)
        for feature in features.values where feature.placement.level == nil && feature.placement.touches.isEmpty {
            features[feature.id]?.placement.touches = touched.levels(of: feature)
        }
        self.features = features
        self.unreadable = unreadable.sorted()
        self.graph = VenueGraph(
            features.values.map { ($0.id, $0.type, ["properties": .object($0.properties)], $0.placement) })
        self.timeZone = timeZone.flatMap { TimeZone(identifier: $0) }
        self.language = language
        self.levels = Dictionary(uniqueKeysWithValues: self.graph.levels.map { ($0.id, $0) })
        self.placed = Self.placed(features)
        self.terms = features.values.sorted { $0.id < $1.id }.flatMap { SearchTerm.terms(of: $0) }
        self.occupants = Dictionary(
            self.graph.levels.flatMap(\.units).map { ($0.id, $0.occupants) }, uniquingKeysWith: { first, _ in first })
    }

    private static func placed(_ features: [FeatureID: MapFeature]) -> [FeatureID?: [FeatureID]] {
        var placed: [FeatureID?: [FeatureID]] = [:]
        for (id, feature) in features {
            placed[feature.placement.level, default: []].append(id)
            for level in feature.placement.touches { placed[level, default: []].append(id) }
        }
        return placed.mapValues { $0.sorted() }
    }

    /// What is drawn of a level, by id: what lies on it, and what touches it, such as a lift.
    ///
    /// - Parameter level: Nil for what belongs to no level.
    public func features(of type: FeatureType, on level: FeatureID?) -> [MapFeature] {
        (self.placed[level] ?? []).compactMap { self.features[$0] }.filter { $0.type == type }
    }

    /// The types of which a level has features, in the order of `FeatureType.standard`, others behind by name.
    public func types(on level: FeatureID?) -> [FeatureType] {
        Set((self.placed[level] ?? []).compactMap { self.features[$0]?.type })
            .sorted { ($0.rank, $0.rawValue) < ($1.rank, $1.rawValue) }
    }

    /// A feature's name for someone who reads these languages, the best one first, then the archive's.
    public func name(of id: FeatureID, for languages: [String] = []) -> String? {
        Labels(self.features[id]?["name"])?.text(for: languages, archiveLanguage: self.language)
    }

    /// What a floor picker shows of a level: its short name, else its name, else its ordinal.
    public func shortName(of level: FeatureID, for languages: [String] = []) -> String? {
        guard let level = self.levels[level] else { return nil }
        let labels = level.shortName ?? level.name
        return labels?.text(for: languages, archiveLanguage: self.language) ?? level.ordinal.map { "\($0)" }
    }

    /// The rectangle around a level and all that lies on it or touches it; nil when nothing there has a geometry.
    public func box(of level: FeatureID) -> BoundingBox? {
        ([level] + (self.placed[level] ?? [])).compactMap { self.features[$0]?.box }
            .reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The rectangle around everything.
    public var box: BoundingBox? {
        self.features.values.compactMap(\.box).reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The level on which a feature is; of one that touches several, the one with the lowest ordinal.
    func level(of feature: MapFeature) -> VenueGraph.Level? {
        if let level = feature.placement.level { return self.levels[level] }
        return feature.placement.touches.compactMap { self.levels[$0] }
            .min { ($0.ordinal ?? .max) < ($1.ordinal ?? .max) }
    }

    /// The feature that a reference names, if it is there and of that type.
    func target(_ key: String, of feature: MapFeature, _ type: FeatureType) -> MapFeature? {
        guard let id = feature[key]?.string.flatMap({ FeatureID($0) }), let target = self.features[id],
            target.type == type
        else { return nil }
        return target
    }
}
