public import Foundation
public import IMDF

/// A map of a venue, or of some of its levels, for drawing and queries.
///
/// Broken features do not affect others: bodies that cannot be parsed are listed as ``unreadable``, invalid geometries are not drawn,
/// and dangling references are ignored.
///
/// A map is an immutable value. It can be used from any thread, and a new one is made after a change.
public struct VenueMap: Sendable {
    /// A feature as stored in a replica.
    public struct Entry: Hashable, Sendable {
        public var id: FeatureID
        public var type: FeatureType
        public var placement: Placement
        /// The canonical body as received.
        public var body: [UInt8]

        public init(id: FeatureID, type: FeatureType, placement: Placement, body: [UInt8]) {
            self.id = id
            self.type = type
            self.placement = placement
            self.body = body
        }

        /// A synchronised feature on a level, or of the venue-wide part for nil. The levels that it touches are determined by the map.
        public init(id: FeatureID, type: FeatureType, level: FeatureID?, body: [UInt8]) {
            self.init(id: id, type: type, placement: Placement(level: level), body: body)
        }
    }

    /// The features by id.
    public let features: [FeatureID: MapFeature]
    /// The ids of features whose bodies are not JSON objects, ascending.
    public let unreadable: [FeatureID]
    public let graph: VenueGraph
    /// The venue's time zone, if known.
    public let timeZone: TimeZone?
    /// The language of the archive.
    public let language: String?

    /// The ids of the features that are on a level or touch it, ascending; under nil, of those without a level.
    let idsByLevel: [FeatureID?: [FeatureID]]
    let levels: [FeatureID: VenueGraph.Level]
    /// The searchable texts, by feature id.
    let terms: [SearchTerm]
    /// The occupants of each unit, by id.
    let occupants: [FeatureID: [FeatureID]]

    /// Parses features. If several entries have the same id, the last one is used.
    ///
    /// - Parameters:
    ///   - timeZone: `about.time_zone` of a change set.
    ///   - language: `about.language`.
    /// - Complexity: O(*n* log *n*) in the number of features, besides parsing every body once.
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
        self.idsByLevel = Self.idsByLevel(features)
        self.terms = features.values.sorted { $0.id < $1.id }.flatMap { SearchTerm.terms(of: $0) }
        self.occupants = Dictionary(
            self.graph.levels.flatMap(\.units).map { ($0.id, $0.occupants) }, uniquingKeysWith: { first, _ in first })
    }

    private static func idsByLevel(_ features: [FeatureID: MapFeature]) -> [FeatureID?: [FeatureID]] {
        var ids: [FeatureID?: [FeatureID]] = [:]
        for (id, feature) in features {
            ids[feature.placement.level, default: []].append(id)
            for level in feature.placement.touches { ids[level, default: []].append(id) }
        }
        return ids.mapValues { $0.sorted() }
    }

    /// The features of a type that are on a level or touch it, such as a lift; by id.
    ///
    /// - Parameter level: Nil for features that belong to no level.
    public func features(of type: FeatureType, on level: FeatureID?) -> [MapFeature] {
        (self.idsByLevel[level] ?? []).compactMap { self.features[$0] }.filter { $0.type == type }
    }

    /// The types of the features of a level, in the order of `FeatureType.standard`, followed by others by name.
    public func types(on level: FeatureID?) -> [FeatureType] {
        Set((self.idsByLevel[level] ?? []).compactMap { self.features[$0]?.type })
            .sorted { ($0.rank, $0.rawValue) < ($1.rank, $1.rawValue) }
    }

    /// A feature's name in the first of these languages that it has, or else in the archive's.
    public func name(of id: FeatureID, for languages: [String] = []) -> String? {
        Labels(self.features[id]?["name"])?.text(for: languages, archiveLanguage: self.language)
    }

    /// The text of a level in a floor picker: its short name, or else its name, or else its ordinal.
    public func shortName(of level: FeatureID, for languages: [String] = []) -> String? {
        guard let level = self.levels[level] else { return nil }
        let labels = level.shortName ?? level.name
        return labels?.text(for: languages, archiveLanguage: self.language) ?? level.ordinal.map { "\($0)" }
    }

    /// The bounding box of a level and of the features that are on it or touch it; nil if none of them has a geometry.
    public func box(of level: FeatureID) -> BoundingBox? {
        ([level] + (self.idsByLevel[level] ?? [])).compactMap { self.features[$0]?.box }
            .reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The bounding box of all features.
    public var box: BoundingBox? {
        self.features.values.compactMap(\.box).reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The level of a feature; if it touches several, the one with the lowest ordinal.
    func level(of feature: MapFeature) -> VenueGraph.Level? {
        if let level = feature.placement.level { return self.levels[level] }
        return feature.placement.touches.compactMap { self.levels[$0] }
            .min { ($0.ordinal ?? .max) < ($1.ordinal ?? .max) }
    }

    /// The feature that a reference names, if the map has it and it is of that type.
    func target(_ key: String, of feature: MapFeature, _ type: FeatureType) -> MapFeature? {
        guard let id = feature[key]?.string.flatMap({ FeatureID($0) }), let target = self.features[id],
            target.type == type
        else { return nil }
        return target
    }
}
