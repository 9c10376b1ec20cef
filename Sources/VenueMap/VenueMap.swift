public import Foundation
public import IMDF

/// A map of a venue, or of some of its levels, for drawing and queries.
///
/// Broken features do not affect others: bodies that cannot be parsed are listed as ``unreadable``, invalid geometries are not drawn,
/// and dangling references are ignored.
///
/// A map is a value. It can be used from any thread, and ``update(putting:removing:)`` applies changes of single features.
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

        /// A synchronized feature on a level, or of the venue-wide part for nil. The levels that it touches are determined by the map.
        public init(id: FeatureID, type: FeatureType, level: FeatureID?, body: [UInt8]) {
            self.init(id: id, type: type, placement: Placement(level: level), body: body)
        }
    }

    /// The ids of features whose bodies are not JSON objects, ascending.
    public private(set) var unreadable: [FeatureID] = []
    public private(set) var graph: VenueGraph
    /// The venue's time zone. If it is nil, the state of all opening hours is unknown; the zone of the device is never used. Apps that
    /// know the zone of a venue whose archive does not contain it can set it.
    public var timeZone: TimeZone?
    /// The language of the archive.
    public var language: String?
    private(set) var index: MapIndex

    /// Parses features. If several entries have the same id, the last one is used.
    ///
    /// - Parameters:
    ///   - timeZone: `about.time_zone` of a change set, such as `Asia/Tokyo`. An unknown name is treated as nil.
    ///   - language: `about.language`.
    /// - Complexity: O(*n* log *n*) in the number of features, besides parsing every body once.
    public init(_ entries: some Sequence<Entry>, timeZone: String? = nil, language: String? = nil) {
        self.init(
            entries, timeZone: timeZone, language: language, isSearchable: true, by: .foundation,
            shouldStop: { false })
    }

    /// Parses features with a faster parser than the one that exists on every platform.
    ///
    /// - Parameters:
    ///   - isSearchable: Whether the texts for searches are prepared. Without them, searches by text find nothing.
    ///   - shouldStop: Called often while these texts are prepared; the map must not be used when it was true.
    ///   - content: The object of a body; nil if it is none.
    package init(
        _ entries: some Sequence<Entry>, timeZone: String? = nil, language: String? = nil, isSearchable: Bool = true,
        shouldStop: () -> Bool = { false }, content: @escaping ([UInt8]) -> JSONObject?
    ) {
        self.init(
            entries, timeZone: timeZone, language: language, isSearchable: isSearchable,
            by: FeatureReader(content: content), shouldStop: shouldStop)
    }

    private init(
        _ entries: some Sequence<Entry>, timeZone: String?, language: String?, isSearchable: Bool,
        by reader: FeatureReader, shouldStop: () -> Bool
    ) {
        self.timeZone = timeZone.flatMap { TimeZone(identifier: $0) }
        self.language = language
        self.index = MapIndex(isSearchable: isSearchable)
        self.graph = self.index.structure.graph
        _ = self.replace(entries, removing: [], by: reader, shouldStop: shouldStop)
    }

    /// The features by id.
    public var features: [FeatureID: MapFeature] { self.index.features }

    /// Replaces features and returns the ids of those that are affected.
    mutating func replace(
        _ entries: some Sequence<Entry>, removing removed: some Sequence<FeatureID>,
        by reader: FeatureReader = .foundation, shouldStop: () -> Bool = { false }
    ) -> Set<FeatureID> {
        var replacements: [FeatureID: MapFeature?] = [:]
        var unreadable = Set(self.unreadable)
        for id in removed {
            replacements[id] = .some(nil)
            unreadable.remove(id)
        }
        for entry in entries {
            let feature = reader.feature(of: entry)
            replacements[entry.id] = .some(feature)
            if feature == nil { unreadable.insert(entry.id) } else { unreadable.remove(entry.id) }
        }
        let changed = self.index.replace(replacements, shouldStop: shouldStop)
        self.unreadable = unreadable.sorted()
        self.graph = self.index.structure.graph
        return changed
    }

    /// The features of a type that are on a level or touch it, such as a lift; by id.
    ///
    /// - Parameter level: Nil for features that belong to no level.
    public func features(of type: FeatureType, on level: FeatureID?) -> [MapFeature] {
        self.features(on: level).filter { $0.type == type }
    }

    /// The features of all types that are on a level or touch it; by id.
    package func features(on level: FeatureID?) -> [MapFeature] {
        (self.index.idsByLevel[level] ?? []).compactMap { self.features[$0] }
    }

    /// The types of the features of a level, in the order of `FeatureType.standard`, followed by others by name.
    public func types(on level: FeatureID?) -> [FeatureType] {
        Set((self.index.idsByLevel[level] ?? []).compactMap { self.features[$0]?.type })
            .sorted { ($0.rank, $0.rawValue) < ($1.rank, $1.rawValue) }
    }

    /// A feature's name in the first of these languages that it has, or else in the archive's.
    public func name(of id: FeatureID, for languages: [String] = []) -> String? {
        Labels(self.features[id]?["name"])?.text(for: languages, archiveLanguage: self.language)
    }

    /// The text of a level in a floor picker: its short name, or else its name, or else its ordinal.
    public func shortName(of level: FeatureID, for languages: [String] = []) -> String? {
        self.index.structure.level(level)?.pickerLabel(for: languages, archiveLanguage: self.language)
    }

    /// The bounding box of a level and of the features that are on it or touch it; nil if none of them has a geometry.
    public func box(of level: FeatureID) -> BoundingBox? {
        ([level] + (self.index.idsByLevel[level] ?? [])).compactMap { self.features[$0]?.box }
            .reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The bounding box of all features.
    public var box: BoundingBox? {
        self.features.values.compactMap(\.box).reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The level of a feature; if it touches several, the one with the lowest ordinal.
    func level(of feature: MapFeature) -> VenueGraph.Level? {
        if let level = feature.placement.level { return self.index.structure.level(level) }
        return feature.placement.touches.compactMap { self.index.structure.level($0) }
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
