public import IMDF

extension VenueMap {
    /// The features at a position on a level, topmost first.
    ///
    /// Amenities within `reach` come first, the nearest first. Then follow the features that contain the position, including their
    /// borders: kiosks, the occupants of units, these units, fixtures, sections, geofences, levels, footprints, venues, and unknown
    /// types. Within a type, smaller areas come first, then lower ids. Occupants of a unit are ordered by id.
    ///
    /// - Parameters:
    ///   - level: The level that is shown. It and the features that are on it or touch it are searched.
    ///   - reach: The maximum distance of an amenity in meters.
    public func features(at position: Position, on level: FeatureID, reach: Double = 0) -> [MapFeature] {
        let candidates = ([level] + (self.index.idsByLevel[level] ?? []) + (self.index.idsByLevel[nil] ?? [])).uniqued()
            .compactMap { self.features[$0] }
            .filter { $0.type != .level || $0.id == level }
        let covering = candidates.filter { $0.box?.contains(position) == true && $0.shape.contains(position) }
            .map { (feature: $0, area: $0.shape.area) }
            .sorted { left, right in
                let (first, second) = (left.feature, right.feature)
                guard first.type == second.type else { return first.type.drawingOrder < second.type.drawingOrder }
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
                (self.index.structure.unit(feature.id)?.occupants ?? []).compactMap { self.features[$0] } + [feature]
            }
    }
}

extension FeatureType {
    /// Smaller for types that are drawn above others.
    fileprivate var drawingOrder: (Int, String) {
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
