package import IMDF

/// The map of the surroundings that the console draws under a venue: the venue's setting `basemap`.
package struct Basemap: Hashable, Sendable {
    /// Where the map comes from.
    package enum Source: Hashable, Sendable {
        /// A MapLibre style.
        case style(SchemeValue<WebAddress>)
        /// A template of raster tiles with `{z}`, `{x}` and `{y}`.
        case tiles(SchemeValue<WebAddress>)
    }

    package let source: Source
    package let attribution: String?

    private static let maximumAttribution = 300

    /// Reads `{"style": "https://…"}` or `{"tiles": "https://…/{z}/{x}/{y}.png", "tile_size": 256, "max_zoom": 19}`, both with an optional
    /// `attribution`. An address may be an object with `light` and `dark`.
    package init(_ value: JSONValue) throws(SettingFault) {
        guard let object = value.object else { throw SettingFault(pointer: "", detail: "it must be an object") }
        var (sources, attribution): ([Source], String?) = ([], nil)
        for member in object.members {
            let pointer = "/\(SettingFault.escaped(member.key))"
            switch member.key {
            case "style": sources.append(.style(try SchemeValue(member.value, at: pointer, Self.style)))
            case "tiles": sources.append(.tiles(try SchemeValue(member.value, at: pointer, Self.template)))
            case "tile_size":
                guard member.value == 256 || member.value == 512 else {
                    throw SettingFault(pointer: pointer, detail: "tiles have 256 or 512 pixels")
                }
            case "max_zoom":
                guard let number = member.value.number, Int(exactly: number).map((0...24).contains) == true else {
                    throw SettingFault(pointer: pointer, detail: "it must be a whole number from 0 to 24")
                }
            case "attribution":
                guard let text = member.value.string, Self.isLine(text) else {
                    throw SettingFault(
                        pointer: pointer, detail: "it must be a line of 1 to \(Self.maximumAttribution) characters")
                }
                attribution = text
            default: throw SettingFault(pointer: pointer, detail: "there is no such member")
            }
        }
        guard let source = sources.first, sources.count == 1 else {
            throw SettingFault(pointer: "", detail: "it must have either “style” or “tiles”")
        }
        if case .style = source {
            for name in ["tile_size", "max_zoom"] where object[name] != nil {
                throw SettingFault(pointer: "/\(name)", detail: "it belongs to “tiles”")
            }
        }
        (self.source, self.attribution) = (source, attribution)
    }

    /// The origins other than this server that the basemap is loaded from.
    package var origins: Set<String> {
        switch self.source {
        case .style(let addresses), .tiles(let addresses):
            Set([addresses.light.origin, addresses.dark.origin].compactMap(\.self))
        }
    }

    private static func style(_ value: JSONValue?, at pointer: String) throws(SettingFault) -> WebAddress {
        guard let address = value?.string.flatMap({ WebAddress($0) }), !address.text.contains(/[{}]/) else {
            throw SettingFault(pointer: pointer, detail: "it must be an https address or a path on this server")
        }
        return address
    }

    private static func template(_ value: JSONValue?, at pointer: String) throws(SettingFault) -> WebAddress {
        guard let address = value?.string.flatMap({ WebAddress($0) }),
            ["z", "x", "y"].allSatisfy({ address.text.contains("{\($0)}") }),
            !address.text.replacing(/\{(z|x|y|ratio)\}/, with: "").contains(/[{}]/)
        else {
            throw SettingFault(
                pointer: pointer, detail: "it must be an https address or a path on this server, with {z}, {x} and {y}")
        }
        return address
    }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.count <= self.maximumAttribution
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
