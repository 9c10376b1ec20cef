import Caching
package import IMDF
import IMDFArchive
import Synchronization
package import VenueMap

/// A level of a revision as tiles need it: projected, sorted, and with its labels placed for the zooms that were needed.
package final class PreparedLevel: Sendable {
    package let id: FeatureID
    package let ordinal: Int?
    /// In the order of their ids.
    let features: [TileFeature]
    /// For each feature, its rank in drawing order: larger units are below smaller ones.
    let drawingRanks: [Int]
    let grid: FeatureGrid
    /// The layers of vector tiles, in their order.
    let layerTypes: [FeatureType]
    /// Of all features; nil without any.
    package let box: WorldBox?
    /// The geographic bounds of the features.
    package let bounds: BoundingBox?
    /// The middle of most features, however far away others are.
    fileprivate let middle: WorldPoint?
    /// Whether the level is no floor of a building.
    let isOutdoor: Bool
    /// In squares of the world.
    let area: Double
    /// Distinguishes prepared levels, also of the same level.
    let number = PreparedLevel.numbers.next()
    package let facade: Facade
    /// In the order in which they are placed.
    package let candidates: [LabelCandidate]
    let archiveLanguage: String?
    /// The well-formed language tags of the names, sorted; at most ``maximumLanguages``.
    let languageTags: [String]
    private let languages: [LabelLanguage]
    private let polygonVertexCount: Int

    struct PlacementKey: Hashable {
        let zoom: Int
        let language: String?
    }

    struct PropertiesKey: Hashable {
        let language: String?
    }

    struct PlaceKey: Hashable {
        let id: FeatureID
        let type: FeatureType
        /// The index of the area of the candidate.
        let area: Int
        let isClear: Bool
        /// The proportions, in steps of 2 %.
        let aspect: Int
    }

    /// The result of a search, and what it took: labels must not depend on whether it was in the cache.
    struct FoundPlace {
        let place: InscribedBox?
        let work: Int
    }

    private static let numbers = NumberSequence()

    let placements = LRUCache<PlacementKey, PlacedLabels>(cost: 2 * PreparedLevel.maximumPlacements)
    let properties = LRUCache<PropertiesKey, LevelProperties>(cost: PreparedLevel.maximumProperties)
    let places = Mutex<[PlaceKey: FoundPlace]>([:])
    let vectorFeatures = Mutex<VectorFeatures?>(nil)

    /// How many combinations of zoom and language are kept, at least; twice as many at most.
    private static let maximumPlacements = 18
    /// For how many languages the properties of vector tiles are kept, at most; half of them at least.
    private static let maximumProperties = 4
    /// Every request for a tile compares the languages of its levels. The names in further ones, by tag, are chosen as if they were not wanted.
    private static let maximumLanguages = 100

    /// Parses and projects the features of a level.
    ///
    /// - Parameters:
    ///   - features: The features on the level and those that touch it, with the level itself, in any order.
    ///   - language: That of the archive.
    ///   - appearance: The colours and hidden categories of the venue.
    ///   - shouldStop: Called before each feature; the level must not be used when it was true.
    package convenience init(
        level id: FeatureID, features: some Sequence<(id: FeatureID, type: FeatureType, body: [UInt8])>,
        language: String?, appearance: MapAppearance? = nil, shouldStop: @escaping () -> Bool = { false }
    ) {
        let entries = features.map { feature in
            VenueMap.Entry(
                id: feature.id, type: feature.type, level: feature.type == .level ? nil : id, body: feature.body)
        }
        let reader = JSONReader()
        var map = VenueMap(entries, language: language, isSearchable: false) {
            shouldStop() ? nil : try? reader.value(of: $0).object
        }
        if let appearance { _ = map.update(putting: [], removing: map.features(hiddenBy: appearance)) }
        self.init(level: id, in: map, appearance: appearance, shouldStop: shouldStop)
    }

    /// - Parameters:
    ///   - map: Has the features of the level.
    ///   - shouldStop: Called before each feature; the level must not be used when it was true.
    init(
        level id: FeatureID, in map: VenueMap, appearance: MapAppearance? = nil, shouldStop: () -> Bool = { false }
    ) {
        self.id = id
        self.ordinal = map.features[id]?["ordinal"]?.number.flatMap { Int(exactly: $0) }
        self.archiveLanguage = map.language
        var onLevel = map.features(on: id)
        if let level = map.features[id] { onLevel.append(level) }
        onLevel.sort { $0.id < $1.id }
        var labelPoints = LabelPoints(map, onLevel)
        let points = onLevel.map { shouldStop() ? nil : labelPoints.point(of: $0) }
        var features: [TileFeature] = []
        for (feature, point) in zip(onLevel, points) where !shouldStop() {
            // Occupants have no geometry of their own.
            let shape = feature.geometry.map { WorldShape($0) } ?? point.map { .points([WorldPoint($0.position)]) }
            guard let shape, let box = shape.box, let style = map.style(of: feature.id) else { continue }
            let color = appearance.flatMap { appearance in
                map.colorKey(of: feature.id, in: appearance).flatMap { key in
                    appearance.colors[key].map { TileFeature.OwnColor(key: key, color: $0) }
                }
            }
            features.append(TileFeature(feature, shape: shape, box: box, group: style.group, color: color))
        }
        self.features = features
        let order = features.indices.sorted { features[$0].isDrawnBefore(features[$1]) }
        var ranks = Array(repeating: 0, count: features.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        self.drawingRanks = ranks
        self.grid = FeatureGrid(features.map(\.box))
        self.layerTypes = Set(features.map(\.type)).sorted(by: FeatureType.isLayerBefore)
        self.box = features.map(\.box).reduce(nil) { $0?.union($1) ?? $1 }
        let drawn = Set(features.map(\.id))
        self.bounds = zip(onLevel, points).filter { drawn.contains($0.0.id) }.compactMap { feature, point in
            feature.box ?? point.flatMap { BoundingBox([$0.position]) }
        }.reduce(nil) { $0?.union($1) ?? $1 }
        let middles = features.flatMap(\.shape.boxes).map(\.center)
        self.middle = middles.map(\.x).middle.flatMap { x in middles.map(\.y).middle.map { WorldPoint(x: x, y: $0) } }
        let own = features.first { $0.id == id }
        (self.isOutdoor, self.area) = (own?.isOutdoor ?? false, own?.area ?? 0)
        if case .polygons(let polygons) = own?.shape {
            self.facade = Facade(polygons)
        } else {
            self.facade = Facade([])
        }
        let polygons = LargestPolygons(features)
        let areas = LabelAreas(map, polygons, features, self.grid)
        self.candidates = zip(onLevel, points)
            .compactMap { shouldStop() ? nil : LabelCandidate($0, at: $1, in: map, areas: areas) }
            .sorted(by: LabelCandidate.precedes)
        self.polygonVertexCount = polygons.vertexCount
        var tags: Set<String> = []
        for feature in features where !shouldStop() {
            for name in feature.names where LanguageParameter.isWellFormed(name.tag) { tags.insert(name.tag) }
        }
        let languageTags = Array(tags.sorted().prefix(Self.maximumLanguages))
        self.languageTags = languageTags
        self.languages = languageTags.map { LabelLanguage($0) }
    }

    /// The bytes that it takes in memory, roughly, with its labels at all zooms.
    package var cost: Int {
        let features = self.features.reduce(4_096) { sum, feature in
            let names = feature.names.reduce(0) { $0 + 192 + 4 * ($1.tag.utf8.count + $1.text.utf8.count) }
            return sum + 1_408 + 40 * feature.shape.vertexCount + names
        }
        let furniture = self.candidates.lazy.flatMap(\.areas).reduce(0) { $0 + $1.furniture.count }
        return features + 500 * self.candidates.count + 32 * furniture + 16 * self.polygonVertexCount
            + 64 * self.facade.edgeCount + 200 * min(self.candidates.count, 20_000)
    }

    /// The language as it matters for the level: the shortest tag for which all names are the same as for the whole one; nil if no name is in
    /// the language.
    package func effectiveLanguage(_ language: String?) -> String? {
        guard let language, LanguageParameter.isWellFormed(language) else { return nil }
        return LabelLanguage(language).effective(among: self.languages)
    }

    func box(of polygon: [WorldShape.Ring]) -> WorldBox? { polygon.first.flatMap { WorldBox($0) } }
}

extension [PreparedLevel] {
    /// Where maps of levels begin: the middle of most of them.
    package var center: Position? {
        let middles = self.compactMap(\.middle)
        guard let x = middles.map(\.x).middle, let y = middles.map(\.y).middle else { return nil }
        return WebMercator.position(of: .init(x: x, y: y), zoom: 0, tileSize: 1)
    }
}

extension [Double] {
    /// The middle of the interval with nine of ten coordinates, or the median if that is half of the world; nil without any.
    fileprivate var middle: Double? {
        guard !self.isEmpty else { return nil }
        let (sorted, few) = (self.sorted(), self.count / 20)
        let (first, last) = (sorted[few], sorted[self.count - 1 - few])
        return last - first < 0.5 ? (first + last) / 2 : sorted[self.count / 2]
    }
}

extension TileFeature {
    fileprivate func isDrawnBefore(_ other: TileFeature) -> Bool {
        (-self.area, self.id) < (-other.area, other.id)
    }
}
