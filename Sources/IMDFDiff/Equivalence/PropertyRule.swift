import IMDF

/// The meaning of properties that IMDF declares, by name.
enum PropertyRule {
    /// Whether a property is an array whose order does not matter.
    static func isSet(_ key: String) -> Bool {
        switch key {
        case "accessibility", "access_control", "building_ids", "level_ids", "parents", "unit_ids": true
        default: false
        }
    }

    /// The class of a change of the property; nil if IMDF does not determine it.
    static func changeClass(of key: String) -> ChangeClasses? {
        switch key {
        case "display_point": .position
        case "alt_name", "name", "short_name": .name
        case "category": .category
        case "hours": .hours
        case "phone", "website": .contact
        case "ordinal": .ordinal
        case "address_id", "anchor_id", "building_ids", "destination", "intermediary", "level_id", "level_ids",
            "origin",
            "parents", "unit_id", "unit_ids":
            .reference
        default: nil
        }
    }
}
