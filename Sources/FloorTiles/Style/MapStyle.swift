package import IMDF
package import VenueMap

/// A style of MapLibre (style specification version 8) over the vector tiles of a venue, made from the cartography.
package struct MapStyle: Sendable {
    /// How a map shows one floor of tiles that have all of them.
    package enum FloorSwitch: String, Sendable, CaseIterable {
        /// Each layer has a filter with the ordinal.
        case filter
        /// The filters compare with the global state `ordinal` (MapLibre GL JS 5.6, MapLibre Native does not have it).
        case state = "global-state"
    }

    /// The addresses of what the style refers to.
    package struct Addresses: Sendable {
        /// With `{z}`, `{x}` and `{y}`.
        let tiles: String
        /// Without scale and extension.
        let sprite: String
        /// With `{fontstack}` and `{range}`.
        let glyphs: String

        package init(tiles: String, sprite: String, glyphs: String) {
            (self.tiles, self.sprite, self.glyphs) = (tiles, sprite, glyphs)
        }
    }

    let name: String
    let addresses: Addresses
    let bounds: BoundingBox?
    /// Where the map begins.
    let center: Position?
    /// The ordinal that is shown first; nil if the tiles have one floor only.
    let ordinal: Int?
    let floorSwitch: FloorSwitch
    let fontStack: String
    let theme: TileTheme
    /// The colours of the venue.
    let appearance: MapAppearance?

    package init(
        name: String, addresses: Addresses, bounds: BoundingBox?, center: Position? = nil,
        ordinal: Int?, floorSwitch: FloorSwitch, fontStack: String, theme: TileTheme, appearance: MapAppearance? = nil
    ) {
        (self.name, self.addresses, self.bounds, self.center) = (name, addresses, bounds, center)
        self.ordinal = ordinal
        (self.floorSwitch, self.fontStack, self.theme) = (floorSwitch, fontStack, theme)
        self.appearance = appearance
    }

    static let source = "venue"

    package var json: JSONObject {
        let zooms = TileAddress.zooms
        var source: JSONObject = [
            "type": "vector", "tiles": [.string(self.addresses.tiles)], "scheme": "xyz",
            "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound), "promoteId": "id",
        ]
        var style: JSONObject = [
            "version": 8, "name": .string(self.name), "sprite": .string(self.addresses.sprite),
            "glyphs": .string(self.addresses.glyphs), "layers": .array(self.layers.map { .object($0) }),
        ]
        if let bounds = self.bounds {
            let corners = bounds.uncrossed
            source["bounds"] = .array([corners.west, corners.south, corners.east, corners.north].map { .number($0) })
            let zoom = WebMercator.zoom(fitting: bounds, width: 1_024, height: 768) - 1
            // There are no tiles below the first zoom of the source.
            style["zoom"] = .number((min(max(zoom, Double(zooms.lowerBound)), 21) * 10).rounded(.down) / 10)
        }
        if let center = self.center { style["center"] = .array([.number(center.longitude), .number(center.latitude)]) }
        style["sources"] = .object([Self.source: .object(source)])
        if let ordinal, self.floorSwitch == .state {
            style["state"] = ["ordinal": ["default": .integer(ordinal)]]
        }
        return style
    }

    /// All conditions of a layer, that of the floor first.
    private func filter(_ conditions: [JSONValue] = []) -> JSONValue? {
        guard let ordinal = self.ordinal else {
            return conditions.isEmpty ? nil : .array(["all"] + conditions)
        }
        let shown: JSONValue =
            switch self.floorSwitch {
            case .filter: .integer(ordinal)
            case .state: ["global-state", "ordinal"]
            }
        return .array(["all", ["==", ["get", "ordinal"], shown]] + conditions)
    }

    func color(_ color: MapColor) -> JSONValue { .string(self.theme == .dark ? color.dark : color.light) }

    func layer(
        _ id: String, _ type: String, of layer: String, minimumZoom: Int, filter: [JSONValue] = [],
        paint: JSONObject, layout: JSONObject = [:]
    ) -> JSONObject {
        var object: JSONObject = [
            "id": .string(id), "type": .string(type), "source": .string(Self.source), "source-layer": .string(layer),
            // A map with tiles of 512 pixels shows at zoom z what images show at z + 1.
            "minzoom": .integer(minimumZoom - 1), "paint": .object(paint),
        ]
        object["filter"] = self.filter(filter)
        if !layout.members.isEmpty { object["layout"] = .object(layout) }
        return object
    }
}

// MARK: - Layers

extension MapStyle {
    private var layers: [JSONObject] {
        let types = Cartography.shared.types
        func zoom(_ type: String) -> Int { types[type]?.tilesFrom ?? TileAddress.zooms.lowerBound }
        func fill(_ type: String, _ color: JSONValue) -> JSONObject {
            self.layer("\(type)-area", "fill", of: type, minimumZoom: zoom(type), paint: ["fill-color": color])
        }
        func line(
            _ id: String, _ type: String, _ color: MapColor, _ width: String, from minimumZoom: Int, opacity: Double = 1
        ) -> JSONObject {
            self.layer(
                id, "line", of: type, minimumZoom: minimumZoom,
                paint: [
                    "line-color": self.color(color), "line-width": Self.width(width),
                    "line-opacity": .number(opacity),
                ], layout: ["line-join": "round"])
        }
        let shapes: [JSONObject] = [
            fill("level", self.color(MapPalette.level)), fill("unit", self.ownColors(or: self.groupColors)),
            line("section-line", "section", MapPalette.section, "section", from: zoom("section"), opacity: 0.45),
            fill("fixture", self.ownColors(or: self.color(MapPalette.fixture))),
            line("unit-wall", "unit", MapPalette.wall, "wall", from: 16),
            fill("kiosk", self.ownColors(or: self.color(MapPalette.kiosk))),
            line("kiosk-wall", "kiosk", MapPalette.wall, "wall", from: zoom("kiosk")),
            line("detail-line", "detail", MapPalette.wall, "wall", from: zoom("detail")),
            line("facade", "level", MapPalette.outline, "facade", from: zoom("level")),
            line("opening-line", "opening", MapPalette.opening, "opening", from: zoom("opening")),
        ]
        return shapes + [self.icons] + self.names
    }

    /// The colour of the venue's appearance that a feature names, or else another one.
    private func ownColors(or color: JSONValue) -> JSONValue {
        guard let colors = self.appearance?.colors, !colors.isEmpty else { return color }
        var match: [JSONValue] = ["match", ["get", "colour"]]
        for (key, own) in colors.sorted(by: { $0.key < $1.key }) { match += [.string(key), self.color(own)] }
        return .array(match + [color])
    }

    private var groupColors: JSONValue {
        var match: [JSONValue] = ["match", ["get", "group"]]
        for group in CategoryGroup.allCases { match += [.string(group.rawValue), self.color(group.fill)] }
        return .array(match + [self.color(CategoryGroup.room.fill)])
    }

    /// The width of a line by the zoom of the map.
    private static func width(_ name: String) -> JSONValue {
        let line = Cartography.shared.lines[name] ?? [1.5, 0]
        let last = TileAddress.zooms.upperBound
        return [
            "interpolate", ["linear"], ["zoom"], 15, .number(line[0]), .integer(last - 1),
            .number(line[0] + line[1] * Double(last - 16)),
        ]
    }

    /// The zoom from which a label is shown is a property of it.
    static let isVisible: JSONValue = ["<=", ["get", "min_zoom"], ["+", ["zoom"], 1]]

    private var icons: JSONObject {
        func size(_ zoom: Int) -> Double { Double(LabelClass.icon.iconSize(at: zoom)) / Double(SpriteSheet.iconSize) }
        return self.layer(
            "label-icon", "symbol", of: VectorTile.labelLayer, minimumZoom: LabelClass.icon.zooms.lowerBound,
            filter: [["has", "icon"], Self.isVisible], paint: [:],
            layout: [
                "icon-image": ["get", "icon"], "symbol-sort-key": ["get", "rank"],
                "icon-size": [
                    "interpolate", ["linear"], ["zoom"], 16, .number(size(17)), 19, .number(size(20)),
                ],
            ])
    }
}

extension JSONValue {
    fileprivate static func integer(_ value: Int) -> JSONValue { .number(Double(value)) }
}
