extension GeoJSONGeometry {
    /// Whether a strict reader of GeoJSON accepts a `geometry` member of a feature whose type requires the class. A missing
    /// member is never accepted; null is, unless the class requires coordinates.
    package static func isValid(_ value: JSONValue?, of required: GeometryClass) -> Bool {
        guard let value else { return false }
        if value.isNull { return required == .none || required == .any }
        guard let type = value["type"]?.string, required.kinds.contains(type) else { return false }
        return GeoJSONGeometry(strict: value) != nil
    }

    /// Reads a geometry that a strict reader of GeoJSON accepts; nil for any other value.
    package init?(strict value: JSONValue) {
        var reader = GeoJSONReader()
        guard let geometry = reader.read(value),
            // A ring may consist of equal positions: RFC 7946 does not forbid it.
            reader.defects.allSatisfy({ $0.kind == .tooFewDistinctPositions })
        else { return nil }
        self = geometry
    }
}
