import IMDF
import SampleVenue

extension RulePair {
    static let values: [RulePair] = labels + contact + lists + addresses + times + identifiers

    private static let labels: [RulePair] = [
        .value("PV-01", of: .unit, "name", breaks: "Stockroom", keeps: ["ja": "倉庫"]),
        .value("PV-01", of: .unit, "name", breaks: ["ja": "倉庫", "en": 5], keeps: ["ja": "倉庫", "en": "5"]),
        .value("PV-02", of: .unit, "name", breaks: ["ja": "倉庫", "en": " \t"], keeps: ["ja": "倉庫", "en": "."]),
        .value("PV-03", of: .unit, "name", breaks: ["ja": "倉庫", "english": "A"], keeps: ["ja": "倉庫", "en-GB": "A"]),
        .value("PV-03", of: .unit, "name", breaks: ["ja": "倉庫", "": "A"], keeps: ["ja": "倉庫", "x-own": "A"]),
        RulePair("PV-04", "an alt_name without a name") { archive in
            try archive.edit(.unit) {
                $0["name"] = .null
                $0["alt_name"] = ["ja": "倉庫"]
            }
        } keeps: { archive in
            try archive.edit(.unit) {
                $0["name"] = ["ja": "倉"]
                $0["alt_name"] = ["ja": "倉庫"]
            }
        },
        RulePair("PV-05", "alt_name in another language") { archive in
            try archive.edit(.unit) {
                $0["name"] = ["ja": "倉"]
                $0["alt_name"] = ["ja": "倉庫", "en": "Store"]
            }
        } keeps: { archive in
            try archive.edit(.unit) {
                $0["name"] = ["ja": "倉", "EN": "Stock"]
                $0["alt_name"] = ["ja": "倉庫", "en": "Store"]
            }
        },
    ]

    private static let contact: [RulePair] = [
        .value("PV-06", of: .venue, "hours", breaks: " ", keeps: "24/7"),
        .value("PV-06", of: .venue, "hours", breaks: 24, keeps: "24/7"),
        .value("PV-07", of: .venue, "hours", breaks: "8:00 am to 5:00 pm", keeps: "Mo-Fr 08:00-17:00; PH off"),
        .value("PV-08", of: .venue, "phone", breaks: "+81 45 555 0100", keeps: "+81455550100"),
        .value("PV-08", of: .venue, "phone", breaks: "0455550100", keeps: "+123456789012345"),
        .value("PV-09", of: .venue, "website", breaks: "www.example.jp", keeps: "https://www.example.jp"),
    ]

    private static let lists: [RulePair] = [
        .value(
            "PV-10", of: .level, "display_point",
            breaks: ["type": "LineString", "coordinates": [[139, 35], [139, 36]]],
            keeps: .null),
        .value("PV-10", of: .level, "display_point", breaks: "139.1 35.2", keeps: .null),
        .value("PV-11", of: .unit, "accessibility", breaks: ["stilts"], keeps: ["tactilepaving"]),
        .value("PV-11", of: .unit, "accessibility", breaks: "wheelchair", keeps: ["wheelchair"]),
        .value("PV-11", of: .opening, "access_control", breaks: ["moat"], keeps: ["guard"]),
        .value("PV-12", of: .unit, "restriction", breaks: "secret", keeps: "restricted"),
        .value("PV-13", of: .opening, "door", breaks: ["type": "trapdoor"], keeps: ["type": "turnstile.fullheight"]),
        .value("PV-13", of: .opening, "door", breaks: ["material": "bone"], keeps: ["material": "gate"]),
        .value("PV-13", of: .opening, "door", breaks: ["automatic": "yes"], keeps: ["automatic": true]),
        .value("PV-15", along: ["SE", "RT-03"], of: .level, "ordinal", breaks: 0.5, keeps: 0),
        .value("PV-15", along: ["RQ-17"], of: .level, "outdoor", breaks: "no", keeps: false),
        .value("PV-16", of: .relationship, "direction", breaks: "both", keeps: "undirected"),
    ]

    private static let addresses: [RulePair] = [
        .value("PV-17", of: .address, "country", breaks: "JPN", keeps: "JP"),
        .value("PV-17", along: ["SE-10"], of: .address, "province", breaks: "JP-99", keeps: "JP-14"),
        .value("PV-17", along: ["SE-10"], of: .address, "province", breaks: "US-CA", keeps: "JP-14"),
        Self.provinces("FR", breaks: "FR-75", keeps: "FR-75C"),
        Self.provinces("IN", breaks: "IN-OR", keeps: "IN-OD"),
        Self.provinces("LV", breaks: "LV-001", keeps: "LV-111"),
        .value("PV-18", along: ["SE-10"], of: .address, "postal_code", breaks: "", keeps: "231-0001"),
        .value("PV-18", of: .address, "postal_code_ext", breaks: " ", keeps: .null),
    ]

    /// Addresses with a code of ISO 3166-2 that is superseded, and with a current one.
    private static func provinces(_ country: String, breaks superseded: String, keeps current: String) -> RulePair {
        @Sendable func move(_ archive: inout TestArchive, to province: String) {
            for index in archive.venue.features.indices where archive.venue.features[index].type == .address {
                archive.venue.features[index]["country"] = .string(country)
                archive.venue.features[index]["province"] = .string(province)
            }
        }
        return RulePair("PV-17", "the superseded province \(superseded)", .warning) { archive in
            move(&archive, to: superseded)
        } keeps: { archive in
            move(&archive, to: current)
        }
    }

    private static let times: [RulePair] = [
        .value(
            "PV-19", of: .occupant, "validity",
            breaks: [
                "start": "2025-04-03T00:00:00Z", "end": "2025-04-03T00:00:00Z", "modified": "2024-01-01T00:00:00Z",
            ],
            keeps: ["start": "2025-04-03T00:00:00Z", "end": "2025-04-03T00:00:01Z", "modified": "2024-01-01T00:00:00Z"]),
        .value(
            "PV-19", of: .occupant, "validity",
            breaks: ["end": "2025-04-01T23:59:59Z", "modified": "2024-01-01T00:00:00Z"],
            keeps: ["end": "2025-04-02T09:00:00+09:00", "modified": "2024-01-01T00:00:00Z"]),
        .value(
            "PV-19", of: .occupant, "validity", breaks: ["modified": "2025-04-02T00:00:01Z"],
            keeps: ["modified": "2025-04-02T00:00:00Z"]),
        .value(
            "PV-19", .warning, of: .occupant, "validity", breaks: ["modified": "2025-04-01T00:00:01"],
            keeps: ["modified": "2025-04-01T00:00:01Z"]),
    ]

    private static let identifiers: [RulePair] = [
        .value("PV-14", of: .section, "correlation_id", breaks: "chain-7", keeps: .null),
        .value(
            "PV-14", along: ["SE-20"], of: .section, "correlation_id",
            breaks: "2c1f0a52-6f0e-1d3b-9a38-0d6b9a0f3c11", keeps: FeatureID.unknown.json),
        RulePair("PV-20", "a duplicate unit id") { archive in
            try archive.edit(.amenity) { amenity in
                let units = amenity["unit_ids"]?.array ?? []
                amenity["unit_ids"] = .array(units + units)
            }
        } keeps: { archive in
            try archive.edit(.amenity) { _ in }
        },
        RulePair("PV-20", "a single id instead of a list") { archive in
            try archive.edit(.amenity) { amenity in
                amenity["unit_ids"] = amenity["unit_ids"]?.array?.first
            }
        } keeps: { archive in
            try archive.edit(.amenity) { amenity in
                amenity["unit_ids"] = .array(Array((amenity["unit_ids"]?.array ?? []).prefix(1)))
            }
        },
        RulePair("PV-21", "a category instead of a feature type") { archive in
            try archive.edit(.relationship) { $0.setEnd("origin", "feature_type", "elevator") }
        } keeps: { archive in
            try archive.edit(.relationship) { $0.setEnd("origin", "feature_type", "unit") }
        },
        RulePair("PV-21", "an end without a feature type") { archive in
            try archive.edit(.relationship) { $0.setEnd("destination", "feature_type", .null) }
        } keeps: { archive in
            try archive.edit(.relationship) { $0.setEnd("destination", "more", "than needed") }
        },
    ]
}

extension SampleFeature {
    mutating func setEnd(_ end: String, _ member: String, _ value: JSONValue) {
        var object = self[end]?.object ?? [:]
        object[member] = value
        self[end] = .object(object)
    }
}
