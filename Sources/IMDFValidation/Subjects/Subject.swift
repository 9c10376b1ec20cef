package import IMDF

/// A feature under examination. Of its body only what rules look at is kept, the geometry read once for all of them.
///
/// A class, because every rule goes through all of them, and a copy of so many members is dear.
package final class Subject: ReferringFeature, Sendable {
    package let id: FeatureID
    package let type: FeatureType
    package let references: [Reference]
    /// Nil when they are not an object.
    package let properties: JSONObject?
    /// Whether the feature has a geometry other than null, readable or not.
    package let hasGeometry: Bool
    /// The geometry; nil when there is none, or one with defects.
    package let geometry: Geometry?
    package let defects: [GeoJSONDefect]
    /// Positions with a third number.
    package let altitudes: Int
    /// The entry's name in the archive.
    package let file: String?
    /// Where in the file the feature stands: an RFC 6901 pointer, empty when it is the whole file.
    package let pointer: String

    package init(_ feature: Feature, body: JSONValue, file: String?, pointer: String?) {
        self.id = feature.id
        self.type = feature.type
        self.references = feature.references
        self.properties = body["properties"]?.object
        var reader = GeoJSONReader()
        let geometry = body["geometry"].flatMap { $0.isNull ? .none : .some($0) }
        self.hasGeometry = geometry != nil
        let read = geometry.flatMap { reader.read($0) }
        // Altitudes are a finding of their own, and do not make a ring open.
        self.defects = reader.defects.filter { $0.kind != .unequalAltitudes }
        self.geometry = self.defects.isEmpty ? read.map(Geometry.init) : nil
        self.altitudes = reader.altitudes
        self.file = file
        self.pointer = pointer ?? ""
    }

    /// A property; nil when it is absent or null, which IMDF does not tell apart.
    package subscript(property: String) -> JSONValue? {
        guard let value = self.properties?[property], !value.isNull else { return nil }
        return value
    }

    /// A property's text; nil when it is absent, null or no text.
    package func text(_ property: String) -> String? { self[property]?.string }

    /// The ids in a property: one, or those of an array. What is no id is passed over.
    package func ids(_ property: String) -> [FeatureID] {
        switch self[property] {
        case .string(let text): FeatureID(text).map { [$0] } ?? []
        case .array(let elements): elements.compactMap { $0.string.flatMap { FeatureID($0) } }
        default: []
        }
    }

    package func id(_ property: String) -> FeatureID? { self.text(property).flatMap { FeatureID($0) } }

    /// Its label position, if it has one that can be read.
    package var displayPoint: Position? {
        guard let value = self["display_point"] else { return nil }
        var reader = GeoJSONReader()
        guard let geometry = reader.read(value), reader.defects.isEmpty, geometry.kind == .points, !geometry.isMulti
        else { return nil }
        return geometry.position(at: 0)
    }

    /// Whether the geometry can be read and is of the class that IMDF asks of the type.
    package var isLocated: Bool {
        guard let geometry = self.geometry else { return false }
        return switch (self.type.geometryClass, geometry) {
        case (.none, _): false
        case (.point, .points(_, let isMulti)), (.lineString, .lines(_, let isMulti)): !isMulti
        case (.lineal, .lines), (.polygonal, .polygons), (.any, _): true
        default: false
        }
    }
}
