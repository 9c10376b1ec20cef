/// The geometry that a feature type may have, and whether a strict reader of GeoJSON (RFC 7946 §3.1) can take it.
package enum GeoJSONGeometry {
    /// Whether a `geometry` member is well-formed and of a class; nil stands for a feature without that member.
    package static func isValid(_ geometry: JSONValue?, of required: GeometryClass) -> Bool {
        guard let geometry else { return false }
        if geometry.isNull { return required == .none || required == .any }
        guard let kind = geometry["type"]?.string, required.kinds.contains(kind),
            let coordinates = geometry["coordinates"]
        else { return false }
        return switch kind {
        case "Point": self.isPosition(coordinates)
        case "MultiPoint": self.isList(coordinates, self.isPosition)
        case "LineString": self.isLine(coordinates)
        case "MultiLineString": self.isList(coordinates, self.isLine)
        case "Polygon": self.isPolygon(coordinates)
        case "MultiPolygon": self.isList(coordinates, self.isPolygon)
        default: false
        }
    }

    private static func isList(_ value: JSONValue, _ isElement: (JSONValue) -> Bool) -> Bool {
        guard let elements = value.array, !elements.isEmpty else { return false }
        return elements.allSatisfy(isElement)
    }

    /// Longitude and latitude in degrees; further numbers are let pass.
    private static func isPosition(_ value: JSONValue) -> Bool {
        guard let ordinates = value.array, ordinates.count >= 2,
            let longitude = ordinates[0].number, let latitude = ordinates[1].number
        else { return false }
        return abs(longitude) <= 180 && abs(latitude) <= 90 && ordinates.allSatisfy { $0.number?.isFinite == true }
    }

    private static func isLine(_ value: JSONValue) -> Bool {
        self.isList(value, self.isPosition) && (value.array?.count ?? 0) >= 2
    }

    private static func isPolygon(_ value: JSONValue) -> Bool {
        self.isList(value, self.isRing)
    }

    private static func isRing(_ value: JSONValue) -> Bool {
        guard let positions = value.array, positions.count >= 4, positions.first == positions.last else { return false }
        return positions.allSatisfy(self.isPosition)
    }
}
