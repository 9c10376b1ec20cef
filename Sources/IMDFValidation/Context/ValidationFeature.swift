package import IMDF

/// A feature as the rules see it: the parts of its body that rules check. The geometry is read once for all rules.
///
/// A class, because every rule visits every feature, and copying this many members is expensive.
package final class ValidationFeature: ReferringFeature, Sendable {
    package let id: FeatureID
    package let type: FeatureType
    package let references: [Reference]
    /// Nil when they are not an object.
    package let properties: JSONObject?
    /// Whether the feature has a geometry other than null, even if it cannot be read.
    package let hasGeometry: Bool
    /// Nil if there is no geometry, or one with defects.
    package let geometry: Geometry?
    package let defects: [GeoJSONDefect]
    /// Positions with a third number.
    package let altitudes: Int
    /// The entry's name in the archive.
    package let file: String?
    /// The path of the feature in the file: an RFC 6901 pointer, empty if the feature is the whole file.
    package let pointer: String
    /// Whether 360° were added to negative longitudes, because the venue crosses the antimeridian without being cut there.
    private let isMovedEast: Bool
    /// What reading the properties costs a rule at most, in units of ``WorkBudget``.
    let readingCost: Int

    package init(_ feature: Feature, body: JSONValue, file: String?, pointer: String?) {
        self.id = feature.id
        self.type = feature.type
        self.references = feature.references
        self.properties = body["properties"]?.object
        self.readingCost = (body["properties"] ?? .null).readingCost
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
        self.isMovedEast = false
    }

    /// The same feature with longitudes from 0° to 360°, so that a venue at the antimeridian is in one piece.
    init(movingEast feature: ValidationFeature) {
        self.id = feature.id
        self.type = feature.type
        self.references = feature.references
        self.properties = feature.properties
        self.hasGeometry = feature.hasGeometry
        self.geometry = feature.geometry.map { $0.mapPositions { Antimeridian.movedEast($0) } }
        self.defects = feature.defects
        self.altitudes = feature.altitudes
        self.file = feature.file
        self.pointer = feature.pointer
        self.readingCost = feature.readingCost
        self.isMovedEast = true
    }

    /// A property; nil if it is absent or null, which IMDF treats alike.
    package subscript(property: String) -> JSONValue? {
        guard let value = self.properties?[property], !value.isNull else { return nil }
        return value
    }

    /// A property's string; nil if it is absent, null or not a string.
    package func text(_ property: String) -> String? { self[property]?.string }

    /// The ids in a property, which may be one or an array. Values that are not ids are ignored.
    package func ids(_ property: String) -> [FeatureID] {
        switch self[property] {
        case .string(let text): FeatureID(text).map { [$0] } ?? []
        case .array(let elements): elements.compactMap { $0.string.flatMap { FeatureID($0) } }
        default: []
        }
    }

    package func id(_ property: String) -> FeatureID? { self.text(property).flatMap { FeatureID($0) } }

    /// Nil if there is no `display_point`, or one that cannot be read.
    package var displayPoint: Position? {
        guard let value = self["display_point"] else { return nil }
        var reader = GeoJSONReader()
        guard let geometry = reader.read(value), reader.defects.isEmpty, geometry.kind == .points, !geometry.isMulti
        else { return nil }
        let position = geometry.position(at: 0)
        return self.isMovedEast ? Antimeridian.movedEast(position) : position
    }

    /// Whether the geometry can be read and is of the class that IMDF requires of the type.
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

extension JSONValue {
    /// What it costs to visit every value and to read every string, in units of ``WorkBudget``.
    fileprivate var readingCost: Int {
        switch self {
        case .null, .bool, .number: 4
        case .string(let text): 4 + text.utf8.count / 8
        case .array(let elements): elements.reduce(4) { $0 + $1.readingCost }
        case .object(let object): object.members.reduce(4) { $0 + $1.key.utf8.count / 8 + $1.value.readingCost }
        }
    }
}
