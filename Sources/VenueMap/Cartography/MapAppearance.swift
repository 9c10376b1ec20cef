import Foundation
package import IMDF

/// How the maps of one venue differ from the cartography: the venue's setting `appearance`.
package struct MapAppearance: Hashable, Sendable {
    /// The colours of areas, by category or by group of the cartography.
    package let colors: [String: MapColor]
    /// Categories, with their subcategories, that maps do not show.
    package let hidden: Set<String>
    /// A picture that the console shows with the map.
    package let logo: WebAddress?

    private static let maximumCategories = 200

    /// Reads `{"colours": {"restaurant": "#ffcc00", "shop": {"light": "#…", "dark": "#…"}}, "hidden": ["parking"],
    /// "logo": "https://…", "accent": "#…"}`, all of which are optional. The logo and the accent do not change tiles.
    package init(_ value: JSONValue) throws(SettingFault) {
        guard let object = value.object else { throw SettingFault(pointer: "", detail: "it must be an object") }
        var (colors, hidden, logo): ([String: MapColor], Set<String>, WebAddress?) = ([:], [], nil)
        for member in object.members {
            let pointer = "/\(SettingFault.escaped(member.key))"
            switch member.key {
            case "colours":
                guard let categories = member.value.object else {
                    throw SettingFault(pointer: pointer, detail: "it must be an object")
                }
                for entry in categories.members {
                    let own = "\(pointer)/\(SettingFault.escaped(entry.key))"
                    try Self.check(category: entry.key, at: own)
                    colors[entry.key] = try Self.color(entry.value, at: own)
                }
            case "hidden":
                guard let categories = member.value.array else {
                    throw SettingFault(pointer: pointer, detail: "it must be a list")
                }
                for (index, entry) in categories.enumerated() {
                    let own = "\(pointer)/\(index)"
                    guard let category = entry.string else {
                        throw SettingFault(pointer: own, detail: "it must be a category")
                    }
                    try Self.check(category: category, at: own)
                    hidden.insert(category)
                }
            case "accent": _ = try Self.color(member.value, at: pointer)
            case "logo":
                logo = member.value.string.flatMap { WebAddress($0) }
                guard logo != nil else {
                    throw SettingFault(pointer: pointer, detail: "it must be an https address or a path on this server")
                }
            default: throw SettingFault(pointer: pointer, detail: "there is no such member")
            }
        }
        guard colors.count <= Self.maximumCategories else {
            throw SettingFault(pointer: "/colours", detail: "it may have \(Self.maximumCategories) categories")
        }
        guard hidden.count <= Self.maximumCategories else {
            throw SettingFault(pointer: "/hidden", detail: "it may have \(Self.maximumCategories) categories")
        }
        (self.colors, self.hidden, self.logo) = (colors, hidden, logo)
    }

    /// Determines what changes tiles: the colours and the hidden categories. Nil if there are none.
    package var drawingDigest: Digest? {
        if self.colors.isEmpty, self.hidden.isEmpty { return nil }
        let colors = self.colors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.light) \($0.value.dark)" }
        return Digest(of: Array((colors + ["hidden"] + self.hidden.sorted()).joined(separator: "\n").utf8))
    }

    private static func check(category: String, at pointer: String) throws(SettingFault) {
        guard !category.isEmpty, category.utf8.count <= CategoryNames.maximumLength,
            category.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else {
            throw SettingFault(
                pointer: pointer, detail: "a category has 1 to \(CategoryNames.maximumLength) characters of ASCII")
        }
    }

    /// `"#rrggbb"` for both modes, or an object with `light` and `dark`.
    private static func color(_ value: JSONValue, at pointer: String) throws(SettingFault) -> MapColor {
        let colors = try SchemeValue(value, at: pointer, self.checkedColor)
        return MapColor(colors.light, colors.dark)
    }

    private static func checkedColor(_ value: JSONValue?, at pointer: String) throws(SettingFault) -> String {
        guard let text = value?.string, text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            text.utf8.dropFirst().allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw SettingFault(pointer: pointer, detail: "a colour is written #rrggbb") }
        return text.lowercased()
    }
}

extension MapAppearance {
    /// Whether features of a category are hidden.
    func hides(_ category: String?) -> Bool {
        guard let category, !self.hidden.isEmpty else { return false }
        return CategoryNames.lineage(of: category).contains(where: self.hidden.contains)
    }

    /// The key of the colour of a category: the category itself, or without its last parts, or the group.
    func key(of category: String?, in group: CategoryGroup) -> String? {
        guard !self.colors.isEmpty else { return nil }
        let known = category.flatMap { CategoryNames.lineage(of: $0).first { self.colors[$0] != nil } }
        return known ?? (self.colors[group.rawValue] == nil ? nil : group.rawValue)
    }
}

extension VenueMap {
    /// Features without which a map has no floor.
    private static let typesNeverHidden: Set<FeatureType> = [.venue, .building, .footprint, .level]

    /// The features that an appearance hides.
    package func features(hiddenBy appearance: MapAppearance) -> Set<FeatureID> {
        guard !appearance.hidden.isEmpty else { return [] }
        return Set(
            self.features.values.filter { !Self.typesNeverHidden.contains($0.type) && appearance.hides($0.category) }
                .map(\.id))
    }

    /// The key of a feature's colour in an appearance. As with ``style(of:)``, the occupant of a unit comes first.
    package func colorKey(of id: FeatureID, in appearance: MapAppearance) -> String? {
        guard let feature = self.features[id], let style = self.style(of: id) else { return nil }
        let own = CategoryGroup(feature.category, of: feature.type)
        let occupant = own.canBeOccupied ? self.occupantCategories(of: feature).first : nil
        return appearance.key(of: occupant ?? feature.category, in: style.group)
    }
}
