public import IMDF

/// What the map distinguishes among categories, each with a color.
///
/// A category belongs to the group with the longest prefix of it, so unknown subcategories belong to the group of the known ones. The web
/// console uses the same prefixes.
public enum CategoryGroup: String, Hashable, Sendable, CaseIterable {
    case shop, food, service, room, walkway, restroom, vertical, outdoor, parking
    /// Not for visitors, and parts of the structure.
    case nonpublic = "private"
    /// Open to the level below.
    case void

    /// The group of a category. Unknown and missing categories are shops for occupants and kiosks, and rooms for all other types.
    public init(_ category: String?, of type: FeatureType) {
        switch type {
        case .occupant, .kiosk: self = Self.group(of: category, in: Self.occupantPrefixes) ?? .shop
        default: self = Self.group(of: category, in: Self.unitPrefixes) ?? .room
        }
    }

    /// Whether a unit of this group can belong to an occupant, which then determines its color. Walkways and shared facilities cannot.
    public var canBeOccupied: Bool { [.room, .food, .nonpublic].contains(self) }

    /// Whether occupants or units of a category are for eating and drinking.
    static func isFood(_ category: String) -> Bool {
        let groups = [
            Self.group(of: category, in: Self.occupantPrefixes), Self.group(of: category, in: Self.unitPrefixes),
        ]
        return groups.contains(.food)
    }

    /// The name of the group in the first of these languages that is English or Japanese, or else in English.
    public func name(for languages: [String] = []) -> String {
        let name = self.rule.name
        return CategoryLanguage(languages) == .japanese ? name.ja : name.en
    }

    private static func group(of category: String?, in prefixes: PrefixesByFirstByte) -> Self? {
        guard let category, let first = category.utf8.first else { return nil }
        return prefixes[first]?.first { category.utf8.starts(with: $0.prefix.utf8) }?.group
    }

    /// Prefixes, the longest first, of which few begin with the same byte.
    private typealias PrefixesByFirstByte = [UInt8: [(prefix: String, group: CategoryGroup)]]

    private static let unitPrefixes = Self.prefixes(\.units)
    private static let occupantPrefixes = Self.prefixes(\.occupants)

    /// The prefixes of all groups. A prefix belongs to one group, so the order of equally long ones has no effect.
    private static func prefixes(_ prefixes: (Cartography.Group) -> [String]) -> PrefixesByFirstByte {
        let all = Cartography.shared.groups.flatMap { rule -> [(prefix: String, group: CategoryGroup)] in
            guard let group = Self(rawValue: rule.id) else { return [] }
            return prefixes(rule).map { (prefix: $0, group: group) }
        }.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
        return Dictionary(grouping: all) { $0.prefix.utf8.first ?? 0 }
    }

    private static let rules = Dictionary(
        uniqueKeysWithValues: Cartography.shared.groups.map { ($0.id, $0) })

    /// Every case has a group in the cartography.
    var rule: Cartography.Group { Self.rules[self.rawValue]! }
}

/// The languages in which the map names categories.
enum CategoryLanguage {
    case english, japanese

    /// The first of these BCP 47 tags that is known, or else English.
    init(_ languages: [String]) {
        let known = languages.lazy.compactMap { tag -> Self? in
            switch tag.lowercased().prefix(while: { $0 != "-" && $0 != "_" }) {
            case "ja": .japanese
            case "en": .english
            default: nil
            }
        }
        self = known.first ?? .english
    }
}
