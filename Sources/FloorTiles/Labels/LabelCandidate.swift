package import IMDF
import VenueMap

/// What a label may show, and where.
package struct LabelCandidate: Sendable {
    package let id: FeatureID
    let type: FeatureType
    let labelClass: LabelClass
    let names: Labels?
    let pictogram: Pictogram?
    /// What the label names, the preferred area first: it stays inside one of them. Empty for a point.
    package let areas: [LabelArea]
    /// Where the label should be, if there is enough space; without an area, where it is.
    let preferred: WorldPoint?
    /// The area of the first of the areas; 0 for a point.
    let size: Double
    /// Labels with a smaller rank are more important and placed first. A step of the priority counts 100.
    package let rank: Int

    /// In the order in which labels are placed: of a rank, the largest first.
    static func precedes(_ left: LabelCandidate, _ right: LabelCandidate) -> Bool {
        (left.rank, -left.size, left.id) < (right.rank, -right.size, right.id)
    }
}

extension LabelCandidate {
    /// The label of a feature; nil if it has none.
    ///
    /// - Parameter point: That of ``LabelPoints``.
    init?(_ feature: MapFeature, at point: LabelPoint?, in map: VenueMap, areas: LabelAreas) {
        let names = Labels(
            .object(
                JSONObject(
                    TileFeature.names(of: feature["name"]).map { name in
                        JSONObject.Member(key: name.tag, value: .string(LabelLayout.excerpt(of: name.text)))
                    })))
        var pictogram: Pictogram?
        switch feature.type {
        case .occupant, .kiosk, .section, .fixture: break
        case .amenity: pictogram = Pictogram(amenity: feature.category) ?? .dot
        case .unit:
            pictogram = Pictogram(unit: feature.category)
            // An amenity in the unit shows the same.
            let amenities = map.amenities(of: feature.id).lazy.compactMap { map.features[$0]?.category }
            if let shown = pictogram, amenities.contains(where: { Pictogram(amenity: $0) == shown }) { return nil }
            // The occupant is what visitors look for.
            let hasNamedOccupant = map.occupants(of: feature.id).contains { Labels(map.features[$0]?["name"]) != nil }
            if pictogram == nil, hasNamedOccupant { return nil }
            // A wall with a name is still a wall.
            guard feature.category.map(Cartography.shared.namesUnits) ?? true else { return nil }
        default: return nil
        }
        guard pictogram != nil || names != nil else { return nil }
        self.areas = areas.areas(of: feature, at: point)
        self.preferred = point.map { WorldPoint($0.position) }
        guard !self.areas.isEmpty || self.preferred != nil else { return nil }
        (self.id, self.type, self.names, self.pictogram) = (feature.id, feature.type, names, pictogram)
        self.labelClass = LabelClass(of: feature.type, category: feature.category, pictogram: pictogram)
        self.size = self.areas.first.map { WorldShape.area(of: $0.polygon) } ?? 0
        let priority = self.labelClass.priority(of: CategoryGroup(feature.category, of: feature.type))
        self.rank = Int((100 * (priority + 1 - Self.weight(ofArea: self.size))).rounded())
    }

    /// By how much a large area is more important than a small one of the same kind: less than one priority. It depends on no other
    /// feature, so that a change elsewhere on the level changes no tile.
    private static func weight(ofArea area: Double) -> Double {
        // Holes can be larger than the polygon that they are in.
        guard area > 0 else { return 0 }
        let side = area.squareRoot() * LabelAreas.equator
        return side.isFinite ? 0.45 * side / (side + 30) : 0.45
    }
}

/// The largest polygon of each feature, which all candidates share.
final class LargestPolygons {
    private let shapes: [FeatureID: WorldShape]
    private var polygons: [FeatureID: [WorldShape.Ring]?] = [:]
    /// The vertices of all polygons that were found, each counted once.
    private(set) var vertexCount = 0

    /// - Parameter features: Their geometry is not projected again.
    init(_ features: [TileFeature]) {
        self.shapes = Dictionary(features.map { ($0.id, $0.shape) }) { first, _ in first }
    }

    func polygon(of feature: MapFeature) -> [WorldShape.Ring]? {
        if let known = self.polygons[feature.id] { return known }
        let shape = self.shapes[feature.id] ?? feature.geometry.map { WorldShape($0) }
        let polygon = shape?.largestPolygon
        self.polygons[feature.id] = .some(polygon)
        self.vertexCount += polygon?.reduce(0) { $0 + $1.count } ?? 0
        return polygon
    }
}

extension WorldShape {
    /// The polygon with the largest area; the first one of several.
    fileprivate var largestPolygon: [Ring]? {
        guard case .polygons(let polygons) = self else { return nil }
        var largest: (area: Double, polygon: [Ring])?
        for polygon in polygons {
            let area = Self.area(of: polygon)
            if area > largest?.area ?? 0 { largest = (area, polygon) }
        }
        return largest?.polygon
    }
}
