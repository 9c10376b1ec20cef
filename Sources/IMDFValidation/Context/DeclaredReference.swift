import IMDF

/// The value of a property that IMDF declares as a reference. It should be the id of a feature.
struct DeclaredReference: Sendable {
    /// The property that contains it.
    let property: String
    /// Its place in the property's list; nil if the property is no list.
    private let number: Int?
    /// Nil if the value is not an id.
    let target: FeatureID?
    /// As it was written.
    let value: JSONValue
    /// The type that the property requires; nil if any type is allowed.
    let requiredType: FeatureType?

    /// All references of a feature. A property that is absent or null has none.
    static func all(in feature: ValidationFeature) -> [DeclaredReference] {
        guard feature.properties != nil else { return [] }
        var references: [DeclaredReference] = []
        for (property, requiredType, isList) in Self.properties(of: feature.type) {
            guard let value = feature[property] else { continue }
            if isList, let elements = value.array {
                for (number, element) in elements.enumerated() {
                    references.append(Self(property, number, element, requiredType))
                }
            } else {
                references.append(Self(property, nil, value, requiredType))
            }
        }
        return references
    }

    /// Its path: an RFC 6901 pointer relative to the feature.
    var pointer: String {
        "/properties/\(self.property)\(self.number.map { "/\($0)" } ?? "")\(self.requiredType == nil ? "/id" : "")"
    }

    private init(_ property: String, _ number: Int?, _ value: JSONValue, _ requiredType: FeatureType?) {
        // An end of a relationship is an object that contains an id.
        let id = requiredType == nil ? value["id"] : value
        self.property = property
        self.number = number
        self.value = id ?? .null
        self.target = id?.string.flatMap { FeatureID($0) }
        self.requiredType = requiredType
    }

    /// The references that the standard declares for a type.
    static func properties(
        of type: FeatureType
    ) -> [(property: String, requiredType: FeatureType?, isList: Bool)] {
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
