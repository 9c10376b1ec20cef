import IMDF
import VenueMap

/// The points of labels on a level.
struct LabelPoints {
    private struct Unit {
        let box: WorldBox?
        /// Determined when an occupant needs it.
        var point: LabelPoint??
    }

    private let map: VenueMap
    private let kiosks: [WorldBox]
    private let kioskGrid: FeatureGrid
    /// Each unit is looked at once: many occupants may be in a large one.
    private var units: [FeatureID: Unit] = [:]

    /// - Parameter features: Those on the level.
    init(_ map: VenueMap, _ features: [MapFeature]) {
        self.map = map
        self.kiosks = features.filter { $0.type == .kiosk }.compactMap { Self.box(of: $0) }
        self.kioskGrid = FeatureGrid(self.kiosks)
    }

    /// The point of a feature's label. An anchor that is neither near the box of the unit that it names nor in that of a kiosk does not count: the
    /// occupant is in its unit, and not where there may be no floor.
    mutating func point(of feature: MapFeature) -> LabelPoint? {
        guard let point = self.map.labelPoint(of: feature.id) else { return nil }
        guard point.rule == .anchor, let id = self.map.unit(of: feature.id) else { return point }
        var unit =
            self.units[id] ?? Unit(box: self.map.features[id].flatMap { Self.box(of: $0) }, point: nil)
        defer { self.units[id] = unit }
        let anchor = WorldPoint(point.position)
        guard let box = unit.box, !box.intersects(LabelAreas.window(around: anchor)), !self.isInKiosk(anchor) else {
            return point
        }
        let own = unit.point ?? self.map.labelPoint(of: id)
        unit.point = .some(own)
        return own.map { LabelPoint(position: $0.position, rule: .unit) } ?? point
    }

    private func isInKiosk(_ point: WorldPoint) -> Bool {
        let box = WorldBox(around: point)
        var isInside = false
        self.kioskGrid.forEachCandidate(in: box) { isInside = isInside || self.kiosks[$0].intersects(box) }
        return isInside
    }

    private static func box(of feature: MapFeature) -> WorldBox? { feature.geometry.flatMap { WorldShape($0).box } }
}
