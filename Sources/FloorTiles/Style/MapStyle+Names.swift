import IMDF
import VenueMap

/// The layers of names, with the sizes and turns of the labels in vector tiles.
extension MapStyle {
    private static let classes = LabelClass.allCases.filter { $0 != .icon && $0 != .dot }
    /// The zooms of the map for which sizes are given: those of images are greater by 1.
    private static let zooms = (LabelClass.occupant.zooms.lowerBound - 1)...(TileAddress.zooms.upperBound - 1)
    /// From this size on, horizontal names are not turned, because they are easier to read.
    private static let readableSize = 11.0
    /// More than any rank.
    private static let rankBeyond = 1_000.0
    private static let (level, turned) = ("size", "turned_size")

    /// The less important layer first: maps place the labels of the last one before all others.
    var names: [JSONObject] { [self.turnedNames, self.levelNames] }

    /// Horizontal names. Those for which their area has no space come after all others; rooms that are not for visitors, and fixtures, have none
    /// then.
    private var levelNames: JSONObject {
        let isLevel: JSONValue = [
            "any", ["!", ["has", "rotate"]], [">=", Self.spaceAtZoom(Self.level), .number(Self.readableSize)],
            ["!", Self.hasSpace(Self.turned)],
        ]
        let mayReachBeyond: JSONValue = [
            "all", ["!=", ["get", "class"], "fixture"], ["!=", ["get", "class"], "nonpublic"],
        ]
        return self.nameLayer(
            "label-text", Self.level, filter: [isLevel, ["any", mayReachBeyond, Self.hasSpace(Self.level)]],
            layout: ["text-max-width": ["coalesce", ["get", "line_width"], 7]])
    }

    /// Names along the long side of an area where a horizontal one would be hard to read. They turn with the map.
    private var turnedNames: JSONObject {
        self.nameLayer(
            "label-text-turned", Self.turned,
            filter: [
                ["has", "rotate"], ["<", Self.spaceAtZoom(Self.level), .number(Self.readableSize)],
                Self.hasSpace(Self.turned),
            ],
            layout: [
                "text-rotate": ["get", "rotate"], "text-rotation-alignment": "map",
                // In one line.
                "text-max-width": .number(1_000),
            ])
    }

    private func nameLayer(_ id: String, _ size: String, filter: [JSONValue], layout own: JSONObject) -> JSONObject {
        var sizes: [JSONValue] = ["interpolate", ["exponential", 2], ["zoom"]]
        var ranks: [JSONValue] = ["step", ["zoom"], Self.rank(size, at: Self.zooms.lowerBound)]
        for zoom in Self.zooms {
            sizes += [.number(Double(zoom)), Self.textSize(size, at: zoom)]
            if zoom > Self.zooms.lowerBound { ranks += [.number(Double(zoom)), Self.rank(size, at: zoom)] }
        }
        var layout: JSONObject = [
            "text-field": ["get", "name"], "text-font": [.string(self.fontStack)], "text-padding": 1,
            "symbol-sort-key": .array(ranks), "text-size": .array(sizes),
        ]
        for member in own.members { layout[member.key] = member.value }
        return self.layer(
            id, "symbol", of: VectorTile.labelLayer, minimumZoom: LabelClass.occupant.zooms.lowerBound,
            filter: [["!", ["has", "icon"]], ["has", "name"], Self.isVisible] + filter,
            paint: [
                "text-color": [
                    "match", ["get", "class"], "section", self.color(MapPalette.section), self.color(MapPalette.label),
                ],
                "text-halo-color": self.color(MapPalette.halo), "text-halo-width": 1.2,
            ], layout: layout)
    }

    // MARK: - Expressions

    /// The size of the text for which the area has space, in pixels; the largest one for labels without an area.
    private static func space(_ size: String, _ factor: JSONValue) -> JSONValue {
        ["*", ["coalesce", ["get", .string(size)], .number(Double(LabelSpace.largestSize))], factor]
    }

    private static func space(_ size: String, at zoom: Int) -> JSONValue {
        self.space(size, .number(1 / Double(1 << (self.zooms.upperBound - zoom))))
    }

    /// For filters, in which the zoom may be anywhere.
    private static func spaceAtZoom(_ size: String) -> JSONValue {
        self.space(size, ["^", 2, ["-", ["zoom"], .number(Double(self.zooms.upperBound))]])
    }

    private static func hasSpace(_ size: String) -> JSONValue { [">=", self.spaceAtZoom(size), self.leastSize] }

    /// The size of the text at a zoom: as large as the area permits, between the limits of the class.
    private static func textSize(_ size: String, at zoom: Int) -> JSONValue {
        self.byClass { own in
            let limits = own.textSizes(at: zoom + 1)
            let largest: JSONValue = ["min", .number(limits.upperBound), self.space(size, at: zoom)]
            return ["max", .number(limits.lowerBound), largest]
        }
    }

    /// The rank at a zoom: what has space in its area comes first.
    private static func rank(_ size: String, at zoom: Int) -> JSONValue {
        let hasSpace: JSONValue = [">=", self.space(size, at: zoom), self.leastSize]
        return ["+", ["get", "rank"], ["case", hasSpace, 0, .number(self.rankBeyond)]]
    }

    private static let leastSize = MapStyle.byClass { .number($0.textSizes(at: 0).lowerBound) }

    private static func byClass(_ value: (LabelClass) -> JSONValue) -> JSONValue {
        var match: [JSONValue] = ["match", ["get", "class"]]
        for own in self.classes { match += [.string(own.rawValue), value(own)] }
        return .array(match + [value(.unit)])
    }
}
