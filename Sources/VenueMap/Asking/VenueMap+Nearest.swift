public import IMDF

extension VenueMap {
    /// Something near, and how far one has to go.
    public struct Neighbour: Hashable, Sendable {
        public let id: FeatureID
        public let type: FeatureType
        /// Of several levels that it touches, the one that is the fewest floors away.
        public let level: FeatureID?
        public let ordinal: Int?
        public let point: LabelPoint
        /// Metres over the ground, as the crow flies.
        public let distance: Double
        /// Floors up, or down if below zero; nil where an ordinal is missing.
        public let floors: Int?
    }

    /// The nearest features of a category: those on the same level first, then those the fewest floors away, of one floor the
    /// nearest first, then by id.
    ///
    /// - Parameters:
    ///   - category: As IMDF writes it; `restroom` also stands for `restroom.female` and its other kinds.
    ///   - level: Where one is.
    public func nearest(
        _ count: Int, category: String, from position: Position, on level: FeatureID,
        types: Set<FeatureType> = [.amenity]
    ) -> [Neighbour] {
        let start = self.levels[level]?.ordinal
        let found = self.features.values
            .filter { types.contains($0.type) && $0.isOf(category) }
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

    private func nearestLevel(of feature: MapFeature, to level: FeatureID) -> VenueGraph.Level? {
        if feature.isPlaced(on: level) { return self.levels[level] }
        if let own = feature.placement.level { return self.levels[own] }
        let start = self.levels[level]?.ordinal
        return feature.placement.touches.compactMap { self.levels[$0] }.min { left, right in
            let (near, far) = (left.floors(from: start)?.magnitude, right.floors(from: start)?.magnitude)
            return (near ?? .max, left.id) < (far ?? .max, right.id)
        }
    }
}

extension VenueGraph.Level {
    /// How many floors it is up from an ordinal.
    fileprivate func floors(from start: Int?) -> Int? {
        guard let start, let difference = self.ordinal?.subtractingReportingOverflow(start), !difference.overflow
        else { return nil }
        return difference.partialValue
    }
}

extension MapFeature {
    fileprivate func isOf(_ category: String) -> Bool {
        guard let own = self.category else { return false }
        return own == category || own.hasPrefix(category + ".")
    }
}
