import FloorTiles
import Foundation
import IMDF

/// A level of rectangles with positions in metres to the east and the north of a place in Tokyo.
struct HandmadeLevel {
    struct Rectangle {
        var west: Double
        var south: Double
        var east: Double
        var north: Double

        init(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
            (self.west, self.south, self.east, self.north) = (west, south, east, north)
        }
    }

    private struct Item {
        let id: FeatureID
        let type: FeatureType
        let geometry: JSONValue
        let properties: JSONObject
    }

    let id: FeatureID
    private var items: [Item] = []
    private static let origin = (longitude: 139.7, latitude: 35.6)

    static func id(_ number: UInt64) -> FeatureID { FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 | number) }

    init(_ number: UInt64, _ area: Rectangle, outdoor: Bool = false) {
        self.id = Self.id(number)
        self.add(number, .level, area, ["ordinal": 0, "outdoor": .bool(outdoor), "category": "unspecified"])
    }

    mutating func add(_ number: UInt64, _ type: FeatureType, _ area: Rectangle, _ properties: JSONObject = [:]) {
        self.add(number, type, ["type": "Polygon", "coordinates": [Self.ring(area)]], properties)
    }

    /// A feature that consists of several rectangles.
    mutating func add(_ number: UInt64, _ type: FeatureType, parts: [Rectangle]) {
        let polygons = parts.map { JSONValue.array([Self.ring($0)]) }
        self.add(number, type, ["type": "MultiPolygon", "coordinates": .array(polygons)], [:])
    }

    private static func ring(_ area: Rectangle) -> JSONValue {
        let corners = [
            (area.west, area.south), (area.east, area.south), (area.east, area.north), (area.west, area.north),
            (area.west, area.south),
        ]
        return .array(corners.map(Self.position))
    }

    /// An occupant with an anchor in a unit.
    mutating func addOccupant(_ number: UInt64, named name: String, at point: (Double, Double), in unit: UInt64) {
        let anchor = number + 1_000
        self.add(
            anchor, .anchor, ["type": "Point", "coordinates": Self.position(point)],
            ["unit_id": .string(Self.id(unit).description)])
        self.add(
            number, .occupant, .null,
            ["name": ["en": .string(name)], "anchor_id": .string(Self.id(anchor).description), "category": "shop"])
    }

    mutating func addAmenity(_ number: UInt64, _ category: String, at point: (Double, Double)) {
        self.add(
            number, .amenity, ["type": "Point", "coordinates": Self.position(point)], ["category": .string(category)])
    }

    private mutating func add(_ number: UInt64, _ type: FeatureType, _ geometry: JSONValue, _ properties: JSONObject) {
        var properties = properties
        if type != .level { properties["level_id"] = .string(self.id.description) }
        self.items.append(Item(id: Self.id(number), type: type, geometry: geometry, properties: properties))
    }

    private static func position(_ point: (Double, Double)) -> JSONValue {
        let degree = 111_319.5
        let longitude = self.origin.longitude + point.0 / degree / cos(self.origin.latitude * .pi / 180)
        return [.number(longitude), .number(self.origin.latitude + point.1 / degree)]
    }

    /// The place in the Web Mercator square.
    static func world(_ point: (Double, Double)) -> WorldPoint {
        let position = self.position(point).array ?? []
        let (longitude, latitude) = (position[0].number ?? 0, (position[1].number ?? 0) * .pi / 180)
        return WorldPoint(x: (longitude + 180) / 360, y: (1 - asinh(tan(latitude)) / .pi) / 2)
    }

    /// The metres from a point to the middle of a label.
    static func distance(of label: PlacedLabel, zoom: Int, from point: (Double, Double)) -> Double {
        let size = Double(256 << zoom)
        let center = (
            x: Double(label.left) + Double(label.width) / 2, y: Double(label.top) + Double(label.height) / 2
        )
        let world = self.world(point)
        let metre = self.world((point.0 + 1, point.1)).x - world.x
        return hypot(center.x / size - world.x, center.y / size - world.y) / metre
    }

    var prepared: PreparedLevel {
        PreparedLevel(
            level: self.id,
            features: self.items.map { item in
                let body: JSONObject = [
                    "type": "Feature", "id": .string(item.id.description), "feature_type": .string(item.type.rawValue),
                    "geometry": item.geometry, "properties": .object(item.properties),
                ]
                return (id: item.id, type: item.type, body: CanonicalJSON.data(.object(body)))
            }, language: "en")
    }
}
