import Foundation
package import IMDF

/// How the maps of one venue differ from the cartography: the venue's setting `appearance`.
package struct MapAppearance: Hashable, Sendable {
    /// Why a value is not an appearance.
    package struct Fault: Error, Hashable, Sendable {
        /// A JSON pointer (RFC 6901) into the value.
        package let pointer: String
        package let detail: String
    }

    /// The colours of areas, by category or by group of the cartography.
    package let colors: [String: MapColor]
    /// Categories, with their subcategories, that maps do not show.
    package let hidden: Set<String>

    private static let maximumCategories = 200
    private static let maximumName = 100
    private static let maximumAddress = 2_000

    /// Reads `{"colours": {"restaurant": "#ffcc00", "shop": {"light": "#…", "dark": "#…"}}, "hidden": ["parking"],
    /// "logo": "https://…", "accent": "#…"}`, all of which are optional. The logo and the accent do not change maps.
    package init(_ value: JSONValue) throws(Fault) {
        guard let object = value.object else { throw Fault(pointer: "", detail: "it must be an object") }
        var (colors, hidden): ([String: MapColor], Set<String>) = ([:], [])
        for member in object.members {
            let pointer = "/\(Self.escaped(member.key))"
            switch member.key {
            case "colours":
                guard let categories = member.value.object else {
                    throw Fault(pointer: pointer, detail: "it must be an object")
                }
                for entry in categories.members {
                    let own = "\(pointer)/\(Self.escaped(entry.key))"
                    try Self.check(category: entry.key, at: own)
                    colors[entry.key] = try Self.color(entry.value, at: own)
                }
            case "hidden":
                guard let categories = member.value.array else {
                    throw Fault(pointer: pointer, detail: "it must be a list")
                }
                for (index, entry) in categories.enumerated() {
                    let own = "\(pointer)/\(index)"
                    guard let category = entry.string else {
                        throw Fault(pointer: own, detail: "it must be a category")
                    }
                    try Self.check(category: category, at: own)
                    hidden.insert(category)
                }
            case "accent": _ = try Self.color(member.value, at: pointer)
            case "logo":
                guard let address = member.value.string, Self.isAddress(address) else {
                    throw Fault(pointer: pointer, detail: "it must be an https address")
                }
            default: throw Fault(pointer: pointer, detail: "there is no such member")
            }
        }
        guard colors.count <= Self.maximumCategories else {
            throw Fault(pointer: "/colours", detail: "it may have \(Self.maximumCategories) categories")
        }
        guard hidden.count <= Self.maximumCategories else {
            throw Fault(pointer: "/hidden", detail: "it may have \(Self.maximumCategories) categories")
        }
        (self.colors, self.hidden) = (colors, hidden)
    }

    private static func escaped(_ name: String) -> String {
        String(name.prefix(self.maximumName)).replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private static func check(category: String, at pointer: String) throws(Fault) {
        guard !category.isEmpty, category.utf8.count <= self.maximumName,
            category.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else {
            throw Fault(pointer: pointer, detail: "a category has 1 to \(self.maximumName) characters of ASCII")
        }
    }

    /// `"#rrggbb"` for both modes, or an object with `light` and `dark`.
    private static func color(_ value: JSONValue, at pointer: String) throws(Fault) -> MapColor {
        func checked(_ value: JSONValue?, at pointer: String) throws(Fault) -> String {
            guard let text = value?.string, text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
                text.utf8.dropFirst().allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
            else { throw Fault(pointer: pointer, detail: "a colour is written #rrggbb") }
            return text.lowercased()
        }
        guard let object = value.object else {
            let color = try checked(value, at: pointer)
            return MapColor(color, color)
        }
        for member in object.members where !["light", "dark"].contains(member.key) {
            throw Fault(pointer: "\(pointer)/\(self.escaped(member.key))", detail: "there is no such member")
        }
        return MapColor(
            try checked(object["light"], at: "\(pointer)/light"), try checked(object["dark"], at: "\(pointer)/dark"))
    }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= self.maximumAddress
            && text.wholeMatch(of: /https:\/\/[A-Za-z0-9.\-]+(:[0-9]{1,5})?(\/[!-~]*)?/) != nil
    }
}

extension MapAppearance {
    /// Whether features of a category are hidden.
    func hides(_ category: String?) -> Bool {
        guard let category, !self.hidden.isEmpty else { return false }
        return self.entry(of: category) { self.hidden.contains($0) ? $0 : nil } != nil
    }

    /// The key of the colour of a category: the category itself, or without its last parts, or the group.
    func key(of category: String?, in group: CategoryGroup) -> String? {
        guard !self.colors.isEmpty else { return nil }
        let known = category.flatMap { self.entry(of: $0) { self.colors[$0] == nil ? nil : $0 } }
        return known ?? (self.colors[group.rawValue] == nil ? nil : group.rawValue)
    }

    private func entry(of category: String, _ value: (String) -> String?) -> String? {
        var name = category[...]
        while !name.isEmpty {
            if let value = value(String(name)) { return value }
            name = name.lastIndex(of: ".").map { name[..<$0] } ?? ""
        }
        return nil
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
