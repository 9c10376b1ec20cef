import Foundation
package import IMDF

/// A coordinate reference system in which features can be requested.
package enum CoordinateSystem: String, CaseIterable, Sendable {
    /// WGS 84, longitude before latitude: that of GeoJSON, and the default.
    case crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
    /// WGS 84, latitude before longitude.
    case epsg4326 = "http://www.opengis.net/def/crs/EPSG/0/4326"
    /// Web Mercator, in metres.
    case epsg3857 = "http://www.opengis.net/def/crs/EPSG/0/3857"

    /// The system with a URI, whose scheme some clients write as https.
    package init?(uri: String) {
        self.init(rawValue: uri.hasPrefix("https:") ? "http:\(uri.dropFirst("https:".count))" : uri)
    }

    private static let radius = 6_378_137.0
    /// Web Mercator ends here, so that the map is a square.
    private static let maximumLatitude = 85.051_128_779_806_59

    /// A position in this system, from longitude and latitude.
    func position(longitude: Double, latitude: Double) -> (Double, Double) {
        switch self {
        case .crs84: return (longitude, latitude)
        case .epsg4326: return (latitude, longitude)
        case .epsg3857:
            let latitude = min(max(latitude, -Self.maximumLatitude), Self.maximumLatitude) * .pi / 180
            // An upload may have any number, and JSON has no infinity.
            let limit = Double.greatestFiniteMagnitude
            let east = min(max(Self.radius * longitude * .pi / 180, -limit), limit)
            return (east, Self.radius * log(tan(.pi / 4 + latitude / 2)))
        }
    }

    /// Longitude and latitude of a position in this system.
    func geographic(_ first: Double, _ second: Double) -> (longitude: Double, latitude: Double) {
        switch self {
        case .crs84: return (first, second)
        case .epsg4326: return (second, first)
        case .epsg3857:
            let latitude = 2 * atan(exp(second / Self.radius)) - .pi / 2
            return (first / Self.radius * 180 / .pi, latitude * 180 / .pi)
        }
    }

    /// A GeoJSON geometry in this system. Further numbers of a position, such as its height, stay as they are.
    package func geometry(_ geometry: JSONValue) -> JSONValue {
        self.mapped(geometry) { self.position(longitude: $0, latitude: $1) }
    }

    /// A geometry with longitudes and latitudes, from one in this system.
    package func geographic(_ geometry: JSONValue) -> JSONValue {
        self.mapped(geometry) { self.geographic($0, $1) }
    }

    private func mapped(_ geometry: JSONValue, _ position: (Double, Double) -> (Double, Double)) -> JSONValue {
        guard self != .crs84, var object = geometry.object else { return geometry }
        if let coordinates = object["coordinates"] {
            object["coordinates"] = Self.coordinates(coordinates, position)
        }
        if let parts = object["geometries"]?.array {
            object["geometries"] = .array(parts.map { self.mapped($0, position) })
        }
        return .object(object)
    }

    private static func coordinates(
        _ value: JSONValue, _ position: (Double, Double) -> (Double, Double)
    ) -> JSONValue {
        guard let elements = value.array else { return value }
        guard elements.count >= 2, let first = elements[0].number, let second = elements[1].number else {
            return .array(elements.map { self.coordinates($0, position) })
        }
        let mapped = position(first, second)
        return .array([.number(mapped.0), .number(mapped.1)] + elements.dropFirst(2))
    }
}
