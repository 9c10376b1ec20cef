import Foundation
public import IMDF

/// A feature from which routes are computed.
public struct WayfindingFeature: Hashable, Sendable {
    public let id: FeatureID
    public let type: FeatureType
    public let properties: JSONObject
    public let geometry: JSONValue

    public init(id: FeatureID, type: FeatureType, properties: JSONObject, geometry: JSONValue) {
        self.id = id
        self.type = type
        self.properties = properties
        self.geometry = geometry
    }

    /// Parses a canonical body; nil unless it is a JSON object.
    public init?(id: FeatureID, type: FeatureType, body: [UInt8]) {
        guard let content = (try? JSONDecoder().decode(JSONValue.self, from: Data(body)))?.object else { return nil }
        self.init(id: id, type: type, content: content)
    }

    /// Takes a body that has been parsed.
    public init(id: FeatureID, type: FeatureType, content: JSONObject) {
        self.init(
            id: id, type: type, properties: content["properties"]?.object ?? [:], geometry: content["geometry"] ?? .null
        )
    }

    func id(_ key: String) -> FeatureID? { self.properties[key]?.string.flatMap { FeatureID($0) } }

    func ids(_ key: String) -> [FeatureID] {
        (self.properties[key]?.array ?? []).compactMap { $0.string.flatMap { FeatureID($0) } }
    }

    /// Whether it is an amenity that is a lift, stairs, an escalator or a ramp; then its units are closed when it is.
    var isLift: Bool {
        self.type == .amenity && ["elevator", "escalator", "stairs", "ramp"].contains(self.text("category") ?? "")
    }

    func text(_ key: String) -> String? { self.properties[key]?.string }
}

/// Longitude and latitude in degrees.
struct Coordinate: Hashable, Sendable {
    let longitude: Double
    let latitude: Double

    /// Nil unless the value is a position of GeoJSON on the globe.
    init?(_ value: JSONValue?) {
        guard let numbers = value?.array, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number, longitude.magnitude <= 180, latitude.magnitude <= 90
        else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }
}

extension JSONValue {
    /// The position of a Point.
    var pointCoordinate: Coordinate? {
        self["type"]?.string == "Point" ? Coordinate(self["coordinates"]) : nil
    }

    /// The lines of a LineString or MultiLineString. Positions that cannot be read are left out.
    var lineCoordinates: [[Coordinate]] {
        switch self["type"]?.string {
        case "LineString": [Self.line(self["coordinates"])]
        case "MultiLineString": (self["coordinates"]?.array ?? []).map { Self.line($0) }
        default: []
        }
    }

    /// The rings of the polygons of a Polygon or MultiPolygon.
    var polygonCoordinates: [[[Coordinate]]] {
        switch self["type"]?.string {
        case "Polygon": [(self["coordinates"]?.array ?? []).map { Self.line($0) }]
        case "MultiPolygon":
            (self["coordinates"]?.array ?? []).map { polygon in (polygon.array ?? []).map { Self.line($0) } }
        default: []
        }
    }

    private static func line(_ value: JSONValue?) -> [Coordinate] {
        (value?.array ?? []).compactMap { Coordinate($0) }
    }
}
