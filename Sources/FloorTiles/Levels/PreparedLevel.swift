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
    let features: [LevelFeature]
    /// For each feature, its rank in drawing order: larger units are below smaller ones.
    let drawingRanks: [Int]
    let grid: FeatureGrid
    let types: Set<FeatureType>
    /// Of all features; nil without any.
    package let box: WorldBox?
    /// Around which geometry is drawn: the middle of the level's own area, or else of most features.
    let center: WorldPoint
    package let facade: Facade
    /// In the order in which they are placed.
    package let candidates: [LabelCandidate]
    let archiveLanguage: String?
    /// The well-formed language tags of the names, sorted; at most 100.
    let languageTags: [String]
    private let languages: Set<String>
    private let primaryLanguages: Set<String>
    private let polygonVertexCount: Int
    /// A point for each label, for vector tiles; in the order of the ids.
    let labelPoints: [LabelPointEntry]

    private struct PlacementKey: Hashable {
        let zoom: Int
        let language: String?
    }

    private struct PlaceKey: Hashable {
        let id: FeatureID
        let type: FeatureType
        /// The proportions, in steps of 2 %.
        let aspect: Int
    }

    /// The result of a search, and what it took: labels must not depend on whether it was in the cache.
    private struct FoundPlace {
        let place: InscribedBox?
        let work: Int
    }

    private let placements = LRUCache<PlacementKey, PlacedLabels>(cost: 2 * PreparedLevel.maximumPlacements)
    private let places = Mutex<[PlaceKey: FoundPlace]>([:])

    /// How many combinations of zoom and language are kept, at least; twice as many at most.
    private static let maximumPlacements = 18
    /// How many edges are looked at for the points of labels, at most. The remaining labels are at their preferred points.
    private static let pointBudget = 100_000_000

    /// Parses and projects the features of a level.
    ///
    /// - Parameters:
    ///   - features: The features on the level and those that touch it, with the level itself, in any order.
    ///   - language: That of the archive.
    ///   - appearance: The colours and hidden categories of the venue.
    package convenience init(
        level id: FeatureID, features: some Sequence<(id: FeatureID, type: FeatureType, body: [UInt8])>,
        language: String?, appearance: MapAppearance? = nil
    ) {
        let entries = features.map { feature in
            VenueMap.Entry(
                id: feature.id, type: feature.type, level: feature.type == .level ? nil : id, body: feature.body)
        }
        let reader = JSONReader()
        var map = VenueMap(entries, language: language, isSearchable: false) { try? reader.value(of: $0).object }
        if let appearance { _ = map.update(putting: [], removing: map.features(hiddenBy: appearance)) }
        self.init(level: id, in: map, appearance: appearance)
    }

    /// - Parameter map: Has the features of the level.
    init(level id: FeatureID, in map: VenueMap, appearance: MapAppearance? = nil) {
        self.id = id
        self.ordinal = map.features[id]?["ordinal"]?.number.flatMap { Int(exactly: $0) }
        self.archiveLanguage = map.language
        var onLevel = map.types(on: id).flatMap { map.features(of: $0, on: id) }
        if let level = map.features[id] { onLevel.append(level) }
        onLevel.sort { $0.id < $1.id }
        var features: [LevelFeature] = []
        for feature in onLevel {
            let point = map.labelPoint(of: feature.id).map { WorldPoint($0.position) }
            // Occupants have no geometry of their own.
            let shape = feature.geometry.map { WorldShape($0) } ?? point.map { .points([$0]) }
            guard let shape, let box = shape.box, let style = map.style(of: feature.id) else { continue }
            let color = appearance.flatMap { appearance in
                map.colorKey(of: feature.id, in: appearance).flatMap { key in
                    appearance.colors[key].map { LevelFeature.OwnColor(key: key, color: $0) }
                }
            }
            features.append(LevelFeature(feature, shape: shape, box: box, group: style.group, color: color))
        }
        self.features = features
        let order = features.indices.sorted { features[$0].isDrawnBefore(features[$1]) }
        var ranks = Array(repeating: 0, count: features.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        self.drawingRanks = ranks
        self.grid = FeatureGrid(features.map(\.box))
        self.types = Set(features.map(\.type))
        self.box = features.map(\.box).reduce(nil) { $0?.union($1) ?? $1 }
        let middles = features.map(\.box.center)
        self.center =
            features.first { $0.id == id }?.box.center
            ?? WorldPoint(x: middles.map(\.x).median ?? 0.5, y: middles.map(\.y).median ?? 0.5)
        if case .polygons(let polygons) = features.first(where: { $0.id == id })?.shape {
            self.facade = Facade(polygons)
        } else {
            self.facade = Facade([])
        }
        let polygons = LargestPolygons(features)
        self.candidates = onLevel.compactMap { LabelCandidate($0, in: map, polygons: polygons) }.sorted(
            by: LabelCandidate.precedes)
        self.polygonVertexCount = polygons.vertexCount
        let tags = Set(features.lazy.flatMap(\.names).map(\.tag).filter { LanguageTag.isWellFormed($0) })
        self.languageTags = Array(tags.sorted().prefix(100))
        self.languages = tags
        self.primaryLanguages = Set(tags.map { LanguageTag.primary($0) })
        var work = 0
        let byID = Dictionary(features.map { ($0.id, $0) }) { first, _ in first }
        self.labelPoints = self.candidates.compactMap { candidate in
            // An amenity is where its point is: several of them may be in one unit.
            let hasOwnPoint = candidate.type == .amenity && candidate.preferred != nil
            // The space for a box that is twice as wide as high suits most names.
            let place = candidate.polygon.flatMap {
                hasOwnPoint || work >= Self.pointBudget
                    ? nil : BoxSearch($0, aspect: 2)?.best(preferred: candidate.preferred, work: &work)?.center
            }
            guard let feature = byID[candidate.id], let point = place ?? candidate.preferred else { return nil }
            return LabelPointEntry(
                feature: feature, point: point, labelClass: candidate.labelClass, pictogram: candidate.pictogram)
        }.sorted { $0.id < $1.id }
    }

    /// The bytes that it takes in memory, roughly, with its labels at all zooms.
    package var cost: Int {
        let features = self.features.reduce(4_096) { sum, feature in
            let names = feature.names.reduce(0) { $0 + 64 + $1.tag.utf8.count + $1.text.utf8.count }
            return sum + 1_024 + 24 * feature.shape.vertexCount + names
        }
        return features + 300 * self.candidates.count + 16 * self.polygonVertexCount + 64 * self.facade.edgeCount
            + 200 * min(self.candidates.count, 20_000)
    }

    /// Whether nothing of it is ever drawn.
    package var isEmpty: Bool { self.features.isEmpty }

    /// The geographic bounds of the features.
    package var bounds: BoundingBox? {
        self.box.map { box in
            let first = WebMercator.position(of: .init(x: box.minX, y: box.minY), zoom: 0, tileSize: 1)
            let last = WebMercator.position(of: .init(x: box.maxX, y: box.maxY), zoom: 0, tileSize: 1)
            return BoundingBox(
                west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude)
        }
    }

    /// The language as it matters for the level: the longest prefix of the tag that is the tag of a name, or else its primary subtag if
    /// any name is in that language; nil if none is. Names are the same as for the whole tag.
    package func effectiveLanguage(_ language: String?) -> String? {
        guard let language, LanguageTag.isWellFormed(language) else { return nil }
        let whole = LanguageTag.lowercased(language)
        var tag = Substring(whole)
        while !tag.isEmpty {
            if self.languages.contains(String(tag)) { return String(tag) }
            tag = tag.lastIndex(of: "-").map { tag[..<$0] } ?? ""
        }
        let primary = LanguageTag.primary(whole)
        return self.primaryLanguages.contains(primary) ? primary : nil
    }

    /// The labels at a zoom. They are kept for some combinations of zoom and language.
    package func labels(zoom: Int, language: String?, by engine: TextEngine) -> [PlacedLabel] {
        self.placedLabels(zoom, language, engine).labels
    }

    /// The labels at a zoom that touch a part of the world, in the same order.
    func labels(zoom: Int, language: String?, by engine: TextEngine, in box: WorldBox) -> [PlacedLabel] {
        self.placedLabels(zoom, language, engine).labels(in: box, worldSize: Double(256 << zoom))
    }

    private func placedLabels(_ zoom: Int, _ language: String?, _ engine: TextEngine) -> PlacedLabels {
        let key = PlacementKey(zoom: zoom, language: self.effectiveLanguage(language))
        return self.placements.value(for: key, cost: { _ in 1 }) {
            PlacedLabels(LabelPlacement.labels(of: self, zoom: zoom, language: key.language, by: engine))
        }
    }

    /// The best place for a label with these proportions. It does not depend on the zoom.
    ///
    /// - Parameter work: Increased by what the search takes.
    func place(of candidate: LabelCandidate, aspect: Double, work: inout Int) -> InscribedBox? {
        guard let polygon = candidate.polygon, aspect > 0, aspect.isFinite else { return nil }
        let key = PlaceKey(id: candidate.id, type: candidate.type, aspect: Int((aspect * 50).rounded(.up)))
        if let found = self.places.withLock({ $0[key] }) {
            work += found.work
            return found.place
        }
        let rounded = Double(max(key.aspect, 1)) / 50
        var ownWork = 0
        let place = BoxSearch(polygon, aspect: rounded)?.best(preferred: candidate.preferred, work: &ownWork)
        let found = FoundPlace(place: place, work: ownWork)
        self.places.withLock { places in
            if places.count > 1_000 + 4 * self.candidates.count { places = [:] }
            places[key] = found
        }
        work += ownWork
        return place
    }

    func box(of polygon: [WorldShape.Ring]) -> WorldBox? { polygon.first.flatMap { WorldBox($0) } }
}

extension [Double] {
    fileprivate var median: Double? { self.isEmpty ? nil : self.sorted()[self.count / 2] }
}

extension LevelFeature {
    fileprivate func isDrawnBefore(_ other: LevelFeature) -> Bool {
        (-self.area, self.id) < (-other.area, other.id)
    }
}
