package import IMDF

/// An id, or what stands in the place of one, where IMDF declares a reference.
package struct DeclaredReference: Sendable {
    /// Where it stands: an RFC 6901 pointer from the feature on.
    package let pointer: String
    /// The property that it stands in.
    package let property: String
    /// Nil when what stands there is no id.
    package let target: FeatureID?
    /// As it stands there.
    package let value: JSONValue
    /// The type that the property demands; nil where any will do.
    package let wanted: FeatureType?

    /// All that a feature has. A member that is absent or null is none.
    package static func all(in feature: Subject) -> [DeclaredReference] {
        guard feature.properties != nil else { return [] }
        var references: [DeclaredReference] = []
        for (property, wanted, isList) in Self.properties(of: feature.type) {
            guard let value = feature[property] else { continue }
            let pointer = "/properties/\(property)"
            if isList, let elements = value.array {
                for (number, element) in elements.enumerated() {
                    references.append(Self(at: "\(pointer)/\(number)", property, element, wanted))
                }
            } else {
                references.append(Self(at: pointer, property, value, wanted))
            }
        }
        return references
    }

    private init(at pointer: String, _ property: String, _ value: JSONValue, _ wanted: FeatureType?) {
        // An end of a relationship is an object with an id in it.
        let id = wanted == nil ? value["id"] : value
        self.pointer = wanted == nil ? "\(pointer)/id" : pointer
        self.property = property
        self.value = id ?? .null
        self.target = id?.string.flatMap { FeatureID($0) }
        self.wanted = wanted
    }

    /// The references that a type declares (the standard, by feature type).
    static func properties(
        of type: FeatureType
    ) -> [(property: String, wanted: FeatureType?, isList: Bool)] {
        switch type {
        case .venue, .building: [("address_id", .address, false)]
        case .level: [("address_id", .address, false), ("building_ids", .building, true)]
        case .footprint: [("building_ids", .building, true)]
        case .section: [("level_id", .level, false), ("address_id", .address, false), ("parents", .section, true)]
        case .unit, .opening, .detail: [("level_id", .level, false)]
        case .fixture, .kiosk: [("level_id", .level, false), ("anchor_id", .anchor, false)]
        case .anchor: [("unit_id", .unit, false), ("address_id", .address, false)]
        case .amenity: [("unit_ids", .unit, true), ("address_id", .address, false)]
        case .occupant: [("anchor_id", .anchor, false)]
        case .geofence:
            [("building_ids", .building, true), ("level_ids", .level, true), ("parents", .geofence, true)]
        case .relationship: [("origin", nil, false), ("intermediary", nil, true), ("destination", nil, false)]
        default: []
        }
    }
}
