/// A feature's `feature_type`: one of the sixteen that IMDF 1.0.0 defines, or an extension's.
public struct FeatureType: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let address = FeatureType(rawValue: "address")
    public static let venue = FeatureType(rawValue: "venue")
    public static let building = FeatureType(rawValue: "building")
    public static let footprint = FeatureType(rawValue: "footprint")
    public static let level = FeatureType(rawValue: "level")
    public static let section = FeatureType(rawValue: "section")
    public static let unit = FeatureType(rawValue: "unit")
    public static let anchor = FeatureType(rawValue: "anchor")
    public static let amenity = FeatureType(rawValue: "amenity")
    public static let kiosk = FeatureType(rawValue: "kiosk")
    public static let fixture = FeatureType(rawValue: "fixture")
    public static let detail = FeatureType(rawValue: "detail")
    public static let opening = FeatureType(rawValue: "opening")
    public static let occupant = FeatureType(rawValue: "occupant")
    public static let geofence = FeatureType(rawValue: "geofence")
    public static let relationship = FeatureType(rawValue: "relationship")

    /// The standard types, ordered so that a type comes after the types that it refers to.
    public static let standard: [FeatureType] = [
        .address, .venue, .building, .footprint, .level, .section, .unit, .anchor, .amenity, .kiosk, .fixture, .detail,
        .opening, .occupant, .geofence, .relationship,
    ]

    private static let ranks = Dictionary(uniqueKeysWithValues: zip(standard, 0...))

    /// The index in ``standard``. All other types have the index after the last.
    public var rank: Int { Self.ranks[self] ?? Self.standard.count }

    public var isStandard: Bool { Self.ranks[self] != nil }
}
