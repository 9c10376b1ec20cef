import IMDF
import VenueMap

/// What a label may show, and where.
struct LabelCandidate: Sendable {
    let id: FeatureID
    let type: FeatureType
    let labelClass: LabelClass
    let names: Labels?
    let pictogram: Pictogram?
    /// What the label names: it stays inside. Nil for a point.
    let polygon: [WorldShape.Ring]?
    /// Where the label should be, if there is enough space; without a polygon, where it is.
    let preferred: WorldPoint?

    /// In the order in which labels are placed.
    static func precedes(_ left: LabelCandidate, _ right: LabelCandidate) -> Bool {
        (left.labelClass.priority, left.id) < (right.labelClass.priority, right.id)
    }
}

extension LabelCandidate {
    /// The label of a feature; nil if it has none.
    init?(_ feature: MapFeature, in map: VenueMap) {
        let names = Labels(feature["name"])
        var pictogram: Pictogram?
        switch feature.type {
        case .occupant, .kiosk, .section, .fixture: break
        case .amenity: pictogram = Pictogram(category: feature.category) ?? .dot
        case .unit:
            pictogram = Pictogram(category: feature.category)
            // An amenity in the unit shows the same.
            let amenities = map.amenities(of: feature.id).lazy.compactMap { map.features[$0]?.category }
            if let shown = pictogram, amenities.contains(where: { Pictogram(category: $0) == shown }) { return nil }
            // The occupant is what visitors look for.
            let hasNamedOccupant = map.occupants(of: feature.id).contains { Labels(map.features[$0]?["name"]) != nil }
            if pictogram == nil, hasNamedOccupant { return nil }
        default: return nil
        }
        guard pictogram != nil || names != nil else { return nil }
        let unit = feature.type == .unit ? nil : map.unit(of: feature.id).flatMap { map.features[$0] }
        let own = feature.largestPolygon
        let point = map.labelPoint(of: feature.id)
        self.polygon = own ?? unit?.largestPolygon
        self.preferred = point.map { WorldPoint($0.position) }
        guard self.polygon != nil || self.preferred != nil else { return nil }
        (self.id, self.type, self.names, self.pictogram) = (feature.id, feature.type, names, pictogram)
        self.labelClass = LabelClass(of: feature.type, pictogram: pictogram)
    }
}

extension MapFeature {
    /// The polygon with the largest area; the first one of several.
    fileprivate var largestPolygon: [WorldShape.Ring]? {
        guard case .polygons(let polygons) = self.geometry.map({ WorldShape($0) }) else { return nil }
        var largest: (area: Double, polygon: [WorldShape.Ring])?
        for polygon in polygons {
            let area = WorldShape.area(of: polygon)
            if area > largest?.area ?? 0 { largest = (area, polygon) }
        }
        return largest?.polygon
    }
}
