public import IMDF

extension VenueMap {
    /// A feature near a position, with its distance.
    public struct Neighbour: Hashable, Sendable {
        public let id: FeatureID
        public let type: FeatureType
        /// The feature's level; if it touches several, the one that is the fewest floors away.
        public let level: FeatureID?
        public let ordinal: Int?
        public let point: LabelPoint
        /// The distance over the ground in meters, in a straight line.
        public let distance: Double
        /// The number of floors up, negative for down; nil if an ordinal is missing.
        public let floors: Int?
    }

    /// The nearest features of a category: those on the same level first, then by number of floors, then by distance, then by id.
    ///
    /// Archives describe the same facility as an amenity, a unit or an occupant, so all of them count. A unit is left out if an amenity
    /// or occupant of the category is in it, because that is the same facility with a better position: one that refers to the unit, or
    /// whose label point is inside the unit, on the same level.
    ///
    /// - Parameters:
    ///   - category: An IMDF category. `restroom` includes `restroom.female` and its other subcategories.
    ///   - level: The level of the position.
    ///   - types: The types that count.
    /// - Complexity: O(*n*) in the number of features, and O(*m*²) in the number of those of the category.
    public func nearest(
        _ count: Int, category: String, from position: Position, on level: FeatureID,
        types: Set<FeatureType> = [.amenity, .unit, .occupant]
    ) -> [Neighbour] {
        let start = self.index.structure.level(level)?.ordinal
        let found = self.facilities(of: category, types)
            .compactMap { feature -> (neighbour: Neighbour, isElsewhere: Bool)? in
                guard let point = self.labelPoint(of: feature) else { return nil }
                let there = self.nearestLevel(of: feature, to: level)
                let floors = there?.id == level ? 0 : there?.floors(from: start)
                let neighbour = Neighbour(
                    id: feature.id, type: feature.type, level: there?.id, ordinal: there?.ordinal, point: point,
                    distance: point.position.distance(to: position), floors: floors)
                return (neighbour, there?.id != level)
            }
            .sorted { left, right in
                if left.isElsewhere != right.isElsewhere { return right.isElsewhere }
                let (near, far) = (left.neighbour.floors?.magnitude ?? .max, right.neighbour.floors?.magnitude ?? .max)
                if near != far { return near < far }
                return (left.neighbour.distance, left.neighbour.id) < (right.neighbour.distance, right.neighbour.id)
            }
        return found.prefix(max(0, count)).map(\.neighbour)
    }

    /// The features of a category, without units that contain another of them.
    private func facilities(of category: String, _ types: Set<FeatureType>) -> [MapFeature] {
        let found = self.features.values.filter { types.contains($0.type) && $0.isOf(category) }
        let inside = found.filter { $0.type != .unit }.map { ($0, self.labelPoint(of: $0)?.position) }
        return found.filter { unit in
            unit.type != .unit || !inside.contains { self.isFeature($0, at: $1, in: unit) }
        }
    }

    /// Whether a facility is the same as a unit, with a better position.
    func isFeature(_ feature: MapFeature, at position: Position?, in unit: MapFeature) -> Bool {
        guard let position, unit.placement.keys.contains(where: { $0.map { feature.isPlaced(on: $0) } ?? false })
        else { return false }
        return self.index.structure.units(of: feature.id).contains(unit.id)
            || unit.box?.contains(position) == true && unit.shape.contains(position)
    }

    private func nearestLevel(of feature: MapFeature, to level: FeatureID) -> VenueGraph.Level? {
        if feature.isPlaced(on: level) { return self.index.structure.level(level) }
        if let own = feature.placement.level { return self.index.structure.level(own) }
        let start = self.index.structure.level(level)?.ordinal
        return feature.placement.touches.compactMap { self.index.structure.level($0) }.min { left, right in
            let (near, far) = (left.floors(from: start)?.magnitude, right.floors(from: start)?.magnitude)
            return (near ?? .max, left.id) < (far ?? .max, right.id)
        }
    }
}

extension VenueGraph.Level {
    /// The number of floors up from an ordinal.
    func floors(from start: Int?) -> Int? {
        guard let start, let difference = self.ordinal?.subtractingReportingOverflow(start), !difference.overflow
        else { return nil }
        return difference.partialValue
    }
}

extension MapFeature {
    fileprivate func isOf(_ category: String) -> Bool {
        self.category.map { CategoryNames.isCategory($0, of: category) } ?? false
    }
}
