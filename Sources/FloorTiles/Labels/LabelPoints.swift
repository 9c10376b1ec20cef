import IMDF
import VenueMap

/// The points of labels on a level.
struct LabelPoints {
    private let map: VenueMap
    private let kiosks: [WorldBox]
    private var units: [FeatureID: WorldBox?] = [:]

    /// - Parameter features: Those on the level.
    init(_ map: VenueMap, _ features: [MapFeature]) {
        self.map = map
        self.kiosks = features.filter { $0.type == .kiosk }.compactMap { Self.box(of: $0) }
    }

    /// The point of a feature's label. An anchor that is neither near the unit that it names nor in a kiosk does not count: the occupant is in
    /// its unit, and not where there may be no floor.
    mutating func point(of feature: MapFeature) -> LabelPoint? {
        guard let point = self.map.labelPoint(of: feature.id) else { return nil }
        guard point.rule == .anchor, let unit = self.map.unit(of: feature.id), let box = self.box(of: unit) else {
            return point
        }
        let anchor = WorldPoint(point.position)
        let isStray =
            !box.intersects(LabelAreas.window(around: anchor))
            && !self.kiosks.contains { $0.intersects(WorldBox(around: anchor)) }
        guard isStray, let own = self.map.labelPoint(of: unit) else { return point }
        return LabelPoint(position: own.position, rule: .unit)
    }

    /// Each unit is looked at once: many occupants may be in a large one.
    private mutating func box(of unit: FeatureID) -> WorldBox? {
        if let known = self.units[unit] { return known }
        let box = self.map.features[unit].flatMap { Self.box(of: $0) }
        self.units[unit] = .some(box)
        return box
    }

    private static func box(of feature: MapFeature) -> WorldBox? { feature.geometry.flatMap { WorldShape($0).box } }
}
