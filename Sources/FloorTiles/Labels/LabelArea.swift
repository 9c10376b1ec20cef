import Foundation
import IMDF
import VenueMap

/// Where a label may be.
package struct LabelArea: Sendable {
    /// The label stays inside.
    package let polygon: [[WorldPoint]]
    /// Where the middle of the label may be; nil for everywhere in the polygon.
    let window: WorldBox?
    /// The label is beside this box; nil if it may be everywhere.
    let neighbour: WorldBox?
    /// What the label keeps clear of, if it has enough space beside it.
    let furniture: [WorldBox]

    init(
        _ polygon: [WorldShape.Ring], window: WorldBox? = nil, beside neighbour: WorldBox? = nil,
        furniture: [WorldBox] = []
    ) {
        (self.polygon, self.window, self.neighbour, self.furniture) = (polygon, window, neighbour, furniture)
    }
}

/// Finds the areas of labels on a level.
struct LabelAreas {
    private let map: VenueMap
    private let polygons: LargestPolygons
    private let features: [TileFeature]
    private let grid: FeatureGrid
    private let furniture: Furniture

    /// How far the middle of a label may be from an anchor that does not have its unit to itself, in metres.
    private static let reach = 8.0
    /// The length of the equator, in metres.
    static let equator = 40_075_016.685_578

    /// - Parameters:
    ///   - polygons: Where candidates that are in the same unit find its polygon.
    ///   - grid: That of the features.
    init(_ map: VenueMap, _ polygons: LargestPolygons, _ features: [TileFeature], _ grid: FeatureGrid) {
        (self.map, self.polygons, self.features, self.grid) = (map, polygons, features, grid)
        self.furniture = Furniture(features)
    }

    /// The areas of a label, the preferred one first; empty for a point.
    ///
    /// An occupant's area is the kiosk around its anchor, then the place beside the kiosk, then its unit. In a unit that is a walkway or the like, or that has several
    /// occupants, the label stays near the anchor: the largest place may be that of another occupant.
    func areas(of feature: MapFeature, at point: LabelPoint?) -> [LabelArea] {
        if let own = self.polygons.polygon(of: feature) {
            return [LabelArea(own, furniture: feature.type == .unit ? self.furniture(in: own) : [])]
        }
        let unit = feature.type == .unit ? nil : self.map.unit(of: feature.id).flatMap { self.map.features[$0] }
        guard feature.type == .occupant, let point, point.rule == .anchor || point.rule == .displayPoint else {
            return unit.flatMap { self.polygons.polygon(of: $0) }
                .map { [LabelArea($0, furniture: self.furniture(in: $0))] } ?? []
        }
        let anchor = WorldPoint(point.position)
        let kiosk = self.kiosk(around: anchor)
        var areas = kiosk.map { [LabelArea($0)] } ?? []
        if let unit, let polygon = self.polygons.polygon(of: unit) {
            let isShared =
                kiosk != nil || !CategoryGroup(unit.category, of: .unit).canBeOccupied
                || self.map.occupants(of: unit.id).count > 1
            let furniture = self.furniture(in: polygon)
            if let kiosk, let box = kiosk.first.flatMap({ WorldBox($0) }) {
                areas.append(LabelArea(polygon, beside: box, furniture: furniture))
            }
            areas.append(
                LabelArea(polygon, window: isShared ? Self.window(around: anchor) : nil, furniture: furniture))
        }
        return areas
    }

    private func furniture(in polygon: [WorldShape.Ring]) -> [WorldBox] {
        polygon.first.flatMap { WorldBox($0) }.map { self.furniture.boxes(in: $0) } ?? []
    }

    /// The polygon of the smallest kiosk that contains a point.
    private func kiosk(around point: WorldPoint) -> [WorldShape.Ring]? {
        var smallest: (area: Double, polygon: [WorldShape.Ring])?
        let box = WorldBox(around: point)
        self.grid.forEachCandidate(in: box) { index in
            let feature = self.features[index]
            guard feature.type == .kiosk, feature.box.intersects(box), feature.area < smallest?.area ?? .infinity,
                let kiosk = self.map.features[feature.id], let polygon = self.polygons.polygon(of: kiosk),
                WorldShape.contains(point, in: polygon)
            else { return }
            smallest = (feature.area, polygon)
        }
        return smallest?.polygon
    }

    /// Where the middle of the label of an anchor may be, if it does not have its unit to itself.
    static func window(around point: WorldPoint) -> WorldBox {
        // A metre is longer on the map the farther it is from the equator.
        let reach = self.reach / self.equator * cosh(.pi * (1 - 2 * point.y))
        return WorldBox(around: point).insetBy(-reach)
    }
}

extension WorldShape {
    /// Whether a point is inside a polygon.
    fileprivate static func contains(_ point: WorldPoint, in polygon: [Ring]) -> Bool {
        var isInside = false
        for ring in polygon {
            for (start, end) in zip(ring, ring.dropFirst()) where (start.y > point.y) != (end.y > point.y) {
                let share = (point.y - start.y) / (end.y - start.y)
                if point.x < start.x + share * (end.x - start.x) { isInside.toggle() }
            }
        }
        return isInside
    }
}
