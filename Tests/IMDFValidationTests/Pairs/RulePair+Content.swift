import IMDF
import SampleVenue

extension RulePair {
    static let content: [RulePair] = ownContent + references + referredTo + buildings

    private static let ownContent: [RulePair] = [
        .value("RQ-01", along: ["SE"], of: .unit, "category", breaks: .null, keeps: "room"),
        .value("RQ-02", of: .section, "category", breaks: "bazaar", keeps: "retail"),
        RulePair("RQ-02", "a category that an extension may have", .warning) { archive in
            archive.venue.manifest["extensions"] = ["imdf:extension:example.jp:bazaars#1.0.0"]
            try archive.edit(.section) { $0["category"] = "bazaar" }
        } keeps: { archive in
            archive.venue.manifest["extensions"] = ["imdf:extension:example.jp:bazaars#1.0.0"]
        },
        .value("RQ-03", along: ["SE"], of: .occupant, "name", breaks: [:], keeps: ["ja": "店"]),
        .value("RQ-04", along: ["SE"], of: .level, "short_name", breaks: .null, keeps: ["ja": "9F", "en": "9F"]),
    ]

    private static let references: [RulePair] = [
        RulePair("RQ-05", "a detail without a level") { archive in
            try archive.edit(.detail) { $0["level_id"] = .null }
        } keeps: { archive in
            let level = try archive.first(.level)
            try archive.edit(.detail) { $0["level_id"] = level.id.json }
        },
        .value("RQ-06", of: .amenity, where: { $0["category"] == "bus" }, "unit_ids", breaks: [], keeps: .none),
        .value("RQ-07", along: ["SE"], of: .occupant, "anchor_id", breaks: .null, keeps: .none),
        .value(
            "RQ-08", along: ["RQ-14", "SE-08", "TO"], of: .footprint, "building_ids", breaks: [], keeps: .none),
        RulePair("RQ-09", "a geofence without levels and buildings", along: ["SE"]) { archive in
            try archive.edit(.geofence) {
                $0["level_ids"] = []
                $0["building_ids"] = .null
            }
        } keeps: { archive in
            try archive.edit(.geofence) { $0["building_ids"] = .null }
        },
        .value("RQ-10", of: .address, "locality", breaks: " ", keeps: "横浜市"),
        .value("RQ-10", along: ["SE-10"], of: .address, "province", breaks: .null, keeps: "JP-14"),
        RulePair("RQ-10", "a country without provinces", along: ["SE-10"]) { archive in
            try archive.edit(.address) { $0["address"] = .null }
        } keeps: { archive in
            try archive.edit(.address) {
                $0["country"] = "AQ"
                $0["province"] = .null
            }
        },
        .value("RQ-11", along: ["RQ-16", "SE-09"], of: .venue, "address_id", breaks: .null, keeps: .none),
        .value("RQ-12", of: .venue, "display_point", breaks: .null, keeps: .none),
    ]

    private static let referredTo: [RulePair] = [
        RulePair("RQ-13", "no building", along: ["RQ-08", "RQ-16", "RQ-17", "SE"]) { archive in
            archive.remove(.building)
            for type in [FeatureType.footprint, .level, .geofence] {
                let count = archive.venue.features.count { $0.type == type }
                try archive.edit(type, count: count) { $0["building_ids"] = .null }
            }
        } keeps: { _ in
        },
        RulePair("RQ-14", "no footprint", along: ["SE-08"]) { archive in
            let building = try archive.first(.building)
            archive.remove(.footprint) { $0["building_ids"] == [building.id.json] }
        } keeps: { archive in
            let building = try archive.first(.building)
            archive.remove(.footprint) { $0["building_ids"] == [building.id.json] && $0["category"] == "aerial" }
        },
        RulePair("RQ-15", "a level without a unit", along: ["SE", "TO", "RT-01"]) { archive in
            archive.copy(try archive.first(.level) { $0["outdoor"] == true })
        } keeps: { archive in
            let level = archive.copy(try archive.first(.level) { $0["outdoor"] == true })
            archive.copy(try archive.first(.unit) { $0["category"] == "road" }) { $0["level_id"] = level.id.json }
        },
        RulePair("RQ-16", "an unreferenced address", along: ["SE"]) { archive in
            archive.copy(try archive.first(.address)) { $0["unit"] = "B-1" }
        } keeps: { archive in
            let address = archive.copy(try archive.first(.address)) { $0["unit"] = "B-1" }
            try archive.edit(.anchor, where: { $0["address_id"] == .null }) { $0["address_id"] = address.id.json }
        },
    ]

    private static let buildings: [RulePair] = [
        .value(
            "RQ-17", along: ["SE"], of: .level, where: { $0["ordinal"] == 1 }, "building_ids", breaks: [], keeps: .none),
        .value(
            "RQ-18", along: ["SE", "RT-07"], of: .level, where: { $0["outdoor"] == true }, "ordinal", breaks: 1,
            keeps: 0),
        RulePair("RQ-18", "an outdoor level of ordinal 0 with a building", .info, along: ["SE", "TO"]) { archive in
            let building = try archive.first(.building)
            try archive.edit(.level, where: { $0["outdoor"] == true }) { $0["building_ids"] = [building.id.json] }
        } keeps: { archive in
            try archive.edit(.level, where: { $0["outdoor"] == true }) { $0["building_ids"] = [] }
        },
    ]
}
