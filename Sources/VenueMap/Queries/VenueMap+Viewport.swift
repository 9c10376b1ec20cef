import Foundation
public import IMDF

extension VenueMap {
    /// The features in a rectangle, for drawing what is visible: those whose bounding box, or without a geometry whose label point, has a
    /// part in it. Ordered by type (as in `FeatureType.standard`, so that areas come before what is on them), then by id.
    ///
    /// - Parameters:
    ///   - scope: The levels that are shown.
    ///   - types: Nil: all types.
    ///   - limit: The maximum number of features, the first ones in this order.
    /// - Complexity: O(*n*) in the number of features of the scope, besides sorting the result.
    public func features(
        in box: BoundingBox, scope: LevelSelection = .everything, types: Set<FeatureType>? = nil, limit: Int = .max
    ) -> [MapFeature] {
        let found = self.features(in: scope).filter { feature in
            guard types?.contains(feature.type) != false else { return false }
            if let own = feature.box { return own.intersects(box) }
            return self.labelPoint(of: feature).map { box.contains($0.position) } ?? false
        }
        return Array(
            found.sorted { left, right in
                left.type == right.type
                    ? left.id < right.id : (left.type.rank, left.type.rawValue) < (right.type.rank, right.type.rawValue)
            }.prefix(max(0, limit)))
    }

    /// The features of some levels, in no particular order.
    func features(in scope: LevelSelection) -> [MapFeature] {
        guard let names = scope.names else { return Array(self.features.values) }
        let levels = Set(
            names.flatMap { name -> [FeatureID?] in
                switch name {
                case .level(let id): [id]
                case .ordinal(let ordinal):
                    self.graph.floors.filter { $0.ordinal == ordinal }.flatMap(\.levels).map { Optional($0.id) }
                case .venueWide: [nil]
                }
            })
        var found: Set<FeatureID> = []
        for level in levels {
            // Levels are listed among the features without a level, but belong to themselves.
            for id in self.index.idsByLevel[level] ?? [] where level != nil || self.isOnNoLevel(id) { found.insert(id) }
            if let level { found.insert(level) }
        }
        return found.compactMap { self.features[$0] }
    }

    private func isOnNoLevel(_ id: FeatureID) -> Bool { self.features[id]?.levelIDs.isEmpty ?? false }
}

/// A label in a part of the map.
public struct MapLabel: Hashable, Sendable {
    public let id: FeatureID
    public let type: FeatureType
    public let point: LabelPoint
    /// ``FeatureStyle/labelPriority``.
    public let priority: Int
}

extension VenueMap {
    /// The labels to show in a rectangle at a zoom: features with a name, and amenities, from their minimum zoom on. The most important
    /// labels come first, then lower ids, so that panning and zooming do not reorder them.
    ///
    /// - Parameters:
    ///   - zoom: The zoom, which may be between two levels.
    ///   - tileSize: The size of tiles to which the zoom refers, in pixels: 512 for MapLibre, 256 for most others.
    ///   - spacing: Labels less than this many pixels from a more important one, in x and in y, are left out.
    /// - Complexity: O(*n*) in the number of features of the scope, besides sorting the result.
    public func labels(
        in box: BoundingBox, scope: LevelSelection = .everything, zoom: Double, tileSize: Int = 512,
        spacing: Double = 0,
        limit: Int = .max
    ) -> [MapLabel] {
        let zoom512 = zoom + log2(Double(tileSize) / 512)
        let candidates = self.features(in: scope).compactMap { feature -> MapLabel? in
            guard feature["name"] != nil || feature.type == .amenity, !Self.typesNotDrawn.contains(feature.type),
                let style = self.style(of: feature.id), style.minimumZoom <= zoom512,
                let point = self.labelPoint(of: feature), box.contains(point.position)
            else { return nil }
            return MapLabel(id: feature.id, type: feature.type, point: point, priority: style.labelPriority)
        }.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
        var grid = LabelGrid(spacing: spacing)
        var labels: [MapLabel] = []
        for label in candidates where labels.count < limit {
            let pixel = WebMercator.pixel(of: label.point.position, zoom: zoom, tileSize: tileSize)
            if grid.insert(pixel) { labels.append(label) }
        }
        return labels
    }
}

/// Finds out whether a pixel is near one that was inserted before, with square cells as long as the distance.
private struct LabelGrid {
    private struct Cell: Hashable {
        let x: Int
        let y: Int
    }

    private let spacing: Double
    private var cells: [Cell: [WebMercator.Pixel]] = [:]

    init(spacing: Double) {
        self.spacing = spacing
    }

    /// Inserts a pixel; false if there is another one nearby.
    mutating func insert(_ pixel: WebMercator.Pixel) -> Bool {
        // Less than that is no distance on a screen, and would need too many cells.
        guard self.spacing >= 0.01 else { return true }
        let (x, y) = (Int(pixel.x / self.spacing), Int(pixel.y / self.spacing))
        for column in x - 1...x + 1 {
            for row in y - 1...y + 1 {
                for other in self.cells[Cell(x: column, y: row)] ?? []
                where abs(other.x - pixel.x) < self.spacing && abs(other.y - pixel.y) < self.spacing { return false }
            }
        }
        self.cells[Cell(x: x, y: y), default: []].append(pixel)
        return true
    }
}
