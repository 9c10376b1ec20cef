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
        let group = isOccupied ? CategoryGroup(occupant, of: .occupant) : own
        self.group = group
        let rule = Self.rule(of: type)
        self.fill = rule.fill.map { $0 == "group" ? group.fill : Cartography.shared.color($0) }
        self.outline = rule.outline.map { Cartography.shared.color($0) }
        (self.labelPriority, self.minimumZoom) = (rule.labelPriority, rule.minimumZoom)
        (self.label, self.halo) = (MapPalette.label, MapPalette.halo)
    }

    private static func rule(of type: FeatureType) -> Cartography.TypeRule {
        let types = Cartography.shared.types
        return types[type.rawValue] ?? types["*"]!
    }
}

extension CategoryGroup {
    /// The color of areas of this group.
    public var fill: MapColor { Self.fills[self] ?? MapPalette.room }

    private static let fills = Dictionary(
        uniqueKeysWithValues: Self.allCases.map { ($0, Cartography.shared.color($0.rule.fill)) })
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
    /// (`japanese.handrolls`: “Japanese handrolls”), and the Japanese one is that of the category without its last part, or else that of
    /// the group.
    public static func categoryName(
        _ category: String, of type: FeatureType, for languages: [String] = []
    ) -> String {
        let isJapanese = CategoryLanguage(languages) == .japanese
        let categories = Cartography.shared.categories
        if let name = categories[category] { return isJapanese ? name.ja : name.en }
        guard isJapanese else { return CategoryNames.derived(from: category) }
        let known = CategoryNames.lineage(of: category).lazy.compactMap { categories[$0] }.first
        return known?.ja ?? CategoryGroup(category, of: type).name(for: ["ja"])
    }
}
