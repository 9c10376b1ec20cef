public import IMDF

/// Where a map shows a feature.
public struct DrawnFeature: Hashable, Sendable {
    /// The name in all languages, also of a feature that was removed; nil if it has none.
    public let name: Labels?
    /// The position of its label or marker.
    public let point: LabelPoint?
    /// The bounding box of its own geometry.
    public let box: BoundingBox?
    /// The level that it is on, or the levels that it touches; for a level itself. Ascending; empty for features that belong to no
    /// level, such as the venue.
    public let levels: [FeatureID]
    /// The ordinals of these levels, each once, ascending.
    public let ordinals: [Int]

    /// Nil if there are several levels or none.
    public var level: FeatureID? { self.levels.count == 1 ? self.levels[0] : nil }
    /// Nil if there are several ordinals or none.
    public var ordinal: Int? { self.ordinals.count == 1 ? self.ordinals[0] : nil }
}

extension LevelSelection {
    /// Whether a map of these levels shows a feature. One that touches several levels, such as a lift, belongs to each of them; one that
    /// belongs to none, such as the venue or a footprint, to the venue-wide part.
    public func contains(_ feature: DrawnFeature) -> Bool {
        guard let names = self.names else { return true }
        if feature.levels.isEmpty { return names.contains(.venueWide) }
        return feature.levels.contains { names.contains(.level($0)) }
            || feature.ordinals.contains { names.contains(.ordinal($0)) }
    }
}

extension VenueMap {
    /// Where the map shows a feature; nil for features that are not drawn: anchors, addresses, relationships, and those that have
    /// neither a geometry nor a label point.
    public func drawn(_ id: FeatureID) -> DrawnFeature? {
        self.features[id].flatMap { self.drawn($0, at: self.labelPoint(of: $0)) }
    }

    static let typesNotDrawn: Set<FeatureType> = [.anchor, .address, .relationship]

    func drawn(_ feature: MapFeature, at point: LabelPoint?) -> DrawnFeature? {
        guard !Self.typesNotDrawn.contains(feature.type), feature.hasGeometry || point != nil
        else { return nil }
        return DrawnFeature(
            name: Labels(feature["name"]), point: point, box: feature.box, levels: feature.levelIDs,
            ordinals: self.ordinals(of: feature.id))
    }
}
