package import IMDF

/// What a query selects of a collection.
package struct ItemsFilter: Sendable {
    /// Features whose geometry has a position in common with one of these boxes, and those without a geometry. Nil for all.
    package var boxes: [GeographicBox]?
    package var levels: LevelFilter?
    /// The value of the property `category`.
    package var category: String?

    package init(boxes: [GeographicBox]? = nil, levels: LevelFilter? = nil, category: String? = nil) {
        self.boxes = boxes
        self.levels = levels
        self.category = category
    }
}

/// Selects the features on some levels, those of the venue-wide part that touch one of them, and the levels themselves; or the
/// venue-wide part.
package struct LevelFilter: Sendable {
    package var levels: Set<FeatureID>
    package var isVenueWide: Bool

    package init(levels: Set<FeatureID>, isVenueWide: Bool = false) {
        self.levels = levels
        self.isVenueWide = isVenueWide
    }

    /// Whether all features of a level are selected, or for nil all of the venue-wide part.
    func includes(_ level: FeatureID?) -> Bool { level.map { self.levels.contains($0) } ?? self.isVenueWide }

    func includes(venueWide id: FeatureID, touching levels: [FeatureID]?) -> Bool {
        self.levels.contains(id) || levels?.contains { self.levels.contains($0) } ?? false
    }
}
