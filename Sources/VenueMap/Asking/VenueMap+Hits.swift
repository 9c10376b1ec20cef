public import IMDF

extension VenueMap {
    /// What somebody means who points at a place on a level, what lies on top first.
    ///
    /// First the amenities within reach, the nearest first. Then what covers the place, its border too: kiosks,
    /// the occupants of units, these units, fixtures, sections, geofences, levels, footprints, venues, and types that IMDF does
    /// not know. Of one type the smaller comes first, then the lower id; occupants of a unit come by id.
    ///
    /// - Parameters:
    ///   - level: The level that is shown; what is placed on it or touches it, and itself, is asked.
    ///   - reach: How far from the place an amenity may be, in metres.
    public func features(at position: Position, on level: FeatureID, reach: Double = 0) -> [MapFeature] {
        let candidates = ([level] + (self.placed[level] ?? []) + (self.placed[nil] ?? [])).uniqued()
            .compactMap { self.features[$0] }
            .filter { $0.type != .level || $0.id == level }
        let covering = candidates.filter { $0.box?.contains(position) == true && $0.shape.contains(position) }
            .map { (feature: $0, area: $0.shape.area) }
            .sorted { left, right in
                let (first, second) = (left.feature, right.feature)
                guard first.type == second.type else { return first.type.height < second.type.height }
                return left.area != right.area ? left.area < right.area : first.id < second.id
            }
        let pins = candidates.filter { $0.type == .amenity }
            .compactMap { feature in
                self.labelPoint(of: feature).map { (feature: feature, distance: $0.position.distance(to: position)) }
            }
            .filter { $0.distance <= reach }
            .sorted { ($0.distance, $0.feature.id) < ($1.distance, $1.feature.id) }
        return pins.map(\.feature)
            + covering.flatMap { feature, _ in
                (self.occupants[feature.id] ?? []).compactMap { self.features[$0] } + [feature]
            }
    }
}

extension FeatureType {
    /// Smaller for what is drawn above.
    fileprivate var height: (Int, String) {
        let order: [FeatureType] = [
            .kiosk, .unit, .fixture, .section, .geofence, .level, .footprint, .venue,
        ]
        return (order.firstIndex(of: self) ?? order.count, self.rawValue)
    }
}

extension [FeatureID] {
    fileprivate func uniqued() -> [FeatureID] {
        var seen: Set<FeatureID> = []
        return self.filter { seen.insert($0).inserted }
    }
}
