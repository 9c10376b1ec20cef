public import IMDF

/// A geometry as WGS 84 positions in degrees. Single and multiple geometries have the same representation.
public enum MapGeometry: Hashable, Sendable {
    /// At least one position.
    case points([Position])
    /// Each line has at least two positions.
    case lines([[Position]])
    /// Each polygon has an outer ring, then its holes. Rings are closed: the last position equals the first one.
    case polygons([[[Position]]])
}

extension MapFeature {
    /// The geometry; nil if the feature has none or it is invalid.
    public var geometry: MapGeometry? {
        switch self.shape {
        case .none: nil
        case .points(let points): .points(points)
        case .lines(let lines): .lines(lines)
        case .polygons(let polygons): .polygons(polygons)
        }
    }
}

// MARK: - Relations

extension VenueMap {
    /// The level of a feature, or the levels that it touches, floor by floor, the highest first; for a level itself. Levels that the map
    /// does not have are left out.
    public func levels(of id: FeatureID) -> [VenueGraph.Level] {
        guard let feature = self.features[id] else { return [] }
        let levels = feature.levelIDs.compactMap { self.index.structure.level($0) }
        return levels.sorted { left, right in
            left.ordinal == right.ordinal ? left.id < right.id : (left.ordinal ?? .min) > (right.ordinal ?? .min)
        }
    }

    /// The ordinals of a feature's levels, each once, ascending. A feature of one floor has one.
    public func ordinals(of id: FeatureID) -> [Int] {
        guard let feature = self.features[id] else { return [] }
        return Set(feature.levelIDs.compactMap { self.index.structure.level($0)?.ordinal }).sorted()
    }

    /// The anchor that an occupant or kiosk names, if the map has it.
    public func anchor(of id: FeatureID) -> FeatureID? {
        self.features[id].flatMap { self.target("anchor_id", of: $0, .anchor)?.id }
    }

    /// The unit of an occupant's anchor, of an anchor, or of an amenity with exactly one unit, if the map has it.
    public func unit(of id: FeatureID) -> FeatureID? {
        guard let feature = self.features[id] else { return nil }
        if feature.type == .anchor { return self.target("unit_id", of: feature, .unit)?.id }
        let units = self.index.structure.units(of: id)
        return units.count == 1 ? units[0] : nil
    }

    /// The occupants whose anchors belong to a unit, by id.
    public func occupants(of unit: FeatureID) -> [FeatureID] { self.index.structure.unit(unit)?.occupants ?? [] }

    /// The amenities that refer to a unit, by id.
    public func amenities(of unit: FeatureID) -> [FeatureID] { self.index.structure.unit(unit)?.amenities ?? [] }
}

extension MapFeature {
    /// The level of the feature, or the levels that it touches, ascending; for a level itself.
    var levelIDs: [FeatureID] {
        self.type == .level ? [self.id] : self.placement.level.map { [$0] } ?? self.placement.touches
    }
}
