package import IMDF

/// The properties that IMDF defines, by type.
package enum KnownProperties {
    /// None for a type that IMDF does not define.
    package static func of(_ type: FeatureType) -> Set<String> { self.byType[type] ?? [] }

    private static let byType: [FeatureType: Set<String>] = [
        .address: [
            "address", "unit", "locality", "province", "country", "postal_code", "postal_code_ext",
            "postal_code_vanity",
        ],
        .amenity: [
            "category", "accessibility", "name", "alt_name", "hours", "phone", "website", "unit_ids", "address_id",
            "correlation_id",
        ],
        .anchor: ["address_id", "unit_id"],
        .building: ["name", "alt_name", "category", "restriction", "display_point", "address_id"],
        .detail: ["level_id"],
        .fixture: ["category", "name", "alt_name", "anchor_id", "level_id", "display_point"],
        .footprint: ["category", "name", "building_ids"],
        .geofence: [
            "category", "restriction", "name", "alt_name", "correlation_id", "display_point", "building_ids",
            "level_ids",
            "parents",
        ],
        .kiosk: ["name", "alt_name", "anchor_id", "level_id", "display_point"],
        .level: [
            "category", "restriction", "outdoor", "ordinal", "name", "short_name", "display_point", "address_id",
            "building_ids",
        ],
        .occupant: [
            "name", "category", "anchor_id", "hours", "phone", "website", "validity", "correlation_id",
        ],
        .opening: [
            "category", "accessibility", "access_control", "door", "name", "alt_name", "display_point", "level_id",
        ],
        .relationship: ["category", "direction", "origin", "intermediary", "destination", "hours"],
        .section: [
            "category", "restriction", "accessibility", "name", "alt_name", "display_point", "level_id", "address_id",
            "correlation_id", "parents",
        ],
        .unit: ["category", "restriction", "accessibility", "name", "alt_name", "level_id", "display_point"],
        .venue: [
            "category", "restriction", "name", "alt_name", "hours", "phone", "website", "display_point", "address_id",
        ],
    ]
}
