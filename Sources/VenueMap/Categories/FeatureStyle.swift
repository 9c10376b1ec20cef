public import IMDF

/// How a map shows a feature, unless the app has a design of its own.
public struct FeatureStyle: Hashable, Sendable {
    /// The group of its category.
    public let group: CategoryGroup
    /// The color of its area; nil if it has none.
    public let fill: MapColor?
    /// The color of its line or border; nil if it has none.
    public let outline: MapColor?
    /// Which label is shown where two would overlap: the one with the smaller number; 0 for occupants, 4 for the least important.
    public let labelPriority: Int
    /// The zoom, for tiles of 512 pixels, from which it is shown. For tiles of 256 pixels, add 1.
    public let minimumZoom: Double
    /// The text of its label.
    public let label: MapColor
    /// Around the text of its label.
    public let halo: MapColor

    /// The style of a type and category. Unknown types have no area, a line like details, and labels of the least priority; unknown
    /// categories have the group that ``CategoryGroup/init(_:of:)`` gives.
    ///
    /// - Parameter occupant: The category of the occupant of a unit. It determines the color of units that can be occupied.
    public init(of type: FeatureType, category: String?, occupant: String? = nil) {
        let own = CategoryGroup(category, of: type)
        let isOccupied = type == .unit && occupant != nil && own.canBeOccupied
        self.group = isOccupied ? CategoryGroup(occupant, of: .occupant) : own
        (self.fill, self.outline) = Self.colors(of: type, self.group)
        (self.labelPriority, self.minimumZoom) = Self.visibility(of: type)
        (self.label, self.halo) = (MapPalette.label, MapPalette.halo)
    }

    private static func colors(of type: FeatureType, _ group: CategoryGroup) -> (fill: MapColor?, outline: MapColor?) {
        switch type {
        case .venue: (MapPalette.venue, nil)
        case .footprint: (MapPalette.footprint, nil)
        case .level: (MapPalette.level, MapPalette.outline)
        case .section: (nil, MapPalette.section)
        case .unit: (group.fill, MapPalette.wall)
        case .fixture: (MapPalette.fixture, nil)
        case .kiosk: (MapPalette.kiosk, MapPalette.wall)
        case .opening: (nil, MapPalette.opening)
        case .amenity, .occupant, .anchor, .address, .building, .relationship, .geofence: (nil, nil)
        default: (nil, MapPalette.wall)
        }
    }

    private static func visibility(of type: FeatureType) -> (labelPriority: Int, minimumZoom: Double) {
        switch type {
        case .occupant: (0, 16)
        case .amenity: (1, 17)
        case .kiosk: (2, 17)
        case .unit: (3, 15)
        case .venue, .footprint, .building: (4, 10)
        case .level, .section, .geofence: (4, 14)
        default: (4, 17)
        }
    }
}

extension CategoryGroup {
    /// The color of areas of this group.
    public var fill: MapColor {
        switch self {
        case .shop: MapPalette.shop
        case .food: MapPalette.food
        case .service: MapPalette.service
        case .room: MapPalette.room
        case .walkway: MapPalette.walkway
        case .restroom: MapPalette.restroom
        case .vertical: MapPalette.vertical
        case .outdoor: MapPalette.outdoor
        case .parking: MapPalette.parking
        case .nonpublic: MapPalette.nonpublic
        case .void: MapPalette.footprint
        }
    }
}

extension VenueMap {
    /// The default style of a feature; nil if the map does not have it. Units are colored by their first occupant with a category, by id.
    public func style(of id: FeatureID) -> FeatureStyle? {
        guard let feature = self.features[id] else { return nil }
        return FeatureStyle(
            of: feature.type, category: feature.category, occupant: self.occupantCategories(of: feature).first)
    }

    /// The name of a category, such as `restroom.female`, in the first of these languages that is English or Japanese, or else in English.
    ///
    /// All categories of IMDF 1.0.0 have names, and frequent ones of occupants. For others, the English name is derived from the category
    /// (`japanese.tonkatsu`: “Japanese tonkatsu”), and the Japanese one is that of the category without its last part, or else that of
    /// the group.
    public static func categoryName(
        _ category: String, of type: FeatureType, for languages: [String] = []
    ) -> String {
        let isJapanese = CategoryLanguage(languages) == .japanese
        if let name = CategoryNames.all[category] { return isJapanese ? name.japanese : name.english }
        guard isJapanese else { return CategoryNames.derived(from: category) }
        var parent = Substring(category)
        while let end = parent.lastIndex(of: ".") {
            parent = parent[..<end]
            if let name = CategoryNames.all[String(parent)] { return name.japanese }
        }
        return CategoryGroup(category, of: type).name(for: ["ja"])
    }
}
