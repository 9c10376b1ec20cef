/// The geometries that IMDF allows for a feature type.
package enum GeometryClass: Sendable {
    case none
    case point
    case lineString
    case lineal
    case polygonal
    /// Any geometry except a collection, or none.
    case any

    var kinds: Set<String> {
        switch self {
        case .none: []
        case .point: ["Point"]
        case .lineString: ["LineString"]
        case .lineal: ["LineString", "MultiLineString"]
        case .polygonal: ["Polygon", "MultiPolygon"]
        case .any: ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]
        }
    }
}

extension FeatureType {
    /// The geometries that IMDF allows for the type. Extensions may have any.
    package var geometryClass: GeometryClass {
        switch self {
        case .address, .building, .occupant: .none
        case .amenity, .anchor: .point
        case .opening: .lineString
        case .detail: .lineal
        case .fixture, .footprint, .geofence, .kiosk, .level, .section, .unit, .venue: .polygonal
        default: .any
        }
    }
}
