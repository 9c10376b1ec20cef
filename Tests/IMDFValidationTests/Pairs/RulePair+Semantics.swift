import IMDF
import SampleVenue

extension RulePair {
    static let semantics: [RulePair] = levels + buildings + units + names + correlation + relations

    private static let levels: [RulePair] = [
        RulePair("SE-01", "a building without a level of ordinal 0", along: ["RQ-15", "SE-06", "TO", "RT-07"]) {
            archive in
            try archive.liftAnnex(by: 1)
        } keeps: { archive in
            try archive.liftAnnex(by: 0)
        },
        RulePair("SE-02", "a gap between ordinals", along: ["SE-08", "TO"]) { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["ordinal"] = 2 }
        } keeps: { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["ordinal"] = -1 }
        },
        RulePair("SE-03", "an ordinal above 163", along: ["SE-02", "TO"]) { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["ordinal"] = 164 }
        } keeps: { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["ordinal"] = 163 }
        },
        RulePair("SE-04", "an outdoor level with a negative ordinal", along: ["RQ-18", "TO", "RT-07"]) { archive in
            try archive.edit(.level, where: { $0["outdoor"] == true }) { $0["ordinal"] = -1 }
        } keeps: { archive in
            try archive.edit(.level, where: { $0["outdoor"] == true }) { $0["ordinal"] = 1 }
        },
        RulePair("SE-05", "two levels of the same name") { archive in
            let ground = try archive.first(.level) { $0["ordinal"] == 0 }
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["name"] = ground["name"] }
        } keeps: { archive in
            let ground = try archive.first(.level) { $0["outdoor"] == true }
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["name"] = ground["name"] }
        },
        RulePair("SE-05", "a level name in another language") { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["name"] = ["ja": "上"] }
        } keeps: { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["name"] = ["ja": "上", "EN": "Up"] }
        },
        RulePair("SE-06", "a level without an opening", along: ["PV", "ST-14", "RT-01"]) { archive in
            let plaza = try archive.first(.level) { $0["outdoor"] == true }
            archive.remove(.opening) { $0["level_id"] == plaza.id.json }
        } keeps: { archive in
            archive.remove(.opening) { $0["category"] == "service" }
        },
    ]

    private static let buildings: [RulePair] = [
        .value("SE-07", of: .building, "name", breaks: .null, keeps: .none),
        RulePair("SE-07", "a building with the name of an occupant") { archive in
            let occupant = try archive.first(.occupant)
            let count = archive.venue.features.count { $0.type == .building }
            try archive.edit(.building, count: count) { $0["name"] = occupant["name"] }
        } keeps: { archive in
            try archive.edit(.building) { $0["name"] = ["ja": "塔", "en": "Tower"] }
        },
        RulePair("SE-08", "no aerial footprint") { archive in
            archive.remove(.footprint) { $0["category"] == "aerial" }
        } keeps: { archive in
            archive.remove(.footprint) { $0["category"] == "subterranean" }
        },
        RulePair("SE-09", "two buildings with the same address", along: ["RQ-16", "SE-11"]) { archive in
            let first = try archive.first(.building)
            try archive.edit(.building, where: { $0.id != first.id }) { $0["address_id"] = first["address_id"] }
        } keeps: { _ in
        },
        RulePair("SE-09", "the venue's address", .info, along: ["RQ-16", "SE-11"]) { archive in
            let venue = try archive.first(.venue)
            try archive.edit(.building) { $0["address_id"] = venue["address_id"] }
        } keeps: { _ in
        },
        .value("SE-10", of: .address, "postal_code", breaks: .null, keeps: "231-0001"),
        .value("SE-10", of: .address, "province", breaks: "JP-13", keeps: "JP-14"),
        RulePair("SE-11", "an anchor with another address") { archive in
            let address = archive.copy(try archive.first(.address)) {
                $0["address"] = "一丁目"
                $0["unit"] = "1"
            }
            try archive.edit(.anchor, where: { $0["address_id"] == .null }) { $0["address_id"] = address.id.json }
        } keeps: { archive in
            let building = try archive.first(.building)
            let own = try archive.first(.address) { $0.id.json == building["address_id"] }
            let address = archive.copy(own) { $0["unit"] = "99" }
            try archive.edit(.anchor, where: { $0["address_id"] == .null }) { $0["address_id"] = address.id.json }
        },
        RulePair("SE-12", "a parking level without parking units", along: ["RT-01"]) { archive in
            try archive.edit(.level, where: { $0["ordinal"] == 1 }) { $0["category"] = "parking" }
        } keeps: { archive in
            let upper = archive.venue.features.filter { $0.type == .level && $0["ordinal"] == 1 }.map(\.id.json)
            let unit = try archive.first(.unit) {
                $0["category"] == "storage" && upper.contains($0["level_id"] ?? .null)
            }
            try archive.edit(.level, where: { $0.id.json == unit["level_id"] }) { $0["category"] = "parking" }
            try archive.edit(.unit, where: { $0.id == unit.id }) { $0["category"] = "parking" }
            try archive.edit(.opening, where: { $0["level_id"] == unit["level_id"] }) { $0["category"] = "automobile" }
        },
        .value(
            "SE-12", .info, along: ["RT-01"], of: .unit, where: { $0["category"] == "storage" }, "category",
            breaks: "parking",
            keeps: "office"),
    ]

    private static let units: [RulePair] = [
        RulePair("SE-13", "an amenity in a unit open to below") { archive in
            try archive.edit(.unit, where: { $0["category"] == "unenclosedarea" }) { $0["category"] = "opentobelow" }
        } keeps: { archive in
            try archive.edit(.unit, where: { $0["category"] == "unenclosedarea" }) { $0["category"] = "terrace" }
        },
        .value(
            "SE-14", along: ["SE-22"], of: .amenity, where: { $0["category"] == "elevator" }, "category",
            breaks: "escalator", keeps: .none),
        RulePair("SE-15", "a restroom for men in one for women") { archive in
            try archive.setRestroom(unit: "restroom.female", amenity: "restroom.male")
        } keeps: { archive in
            try archive.setRestroom(unit: "restroom.female", amenity: "restroom.female.wheelchair")
        },
        RulePair("SE-15", "a restroom for men in a general one", .info) { archive in
            try archive.setRestroom(unit: "restroom", amenity: "restroom.male")
        } keeps: { archive in
            try archive.setRestroom(unit: "restroom", amenity: "restroom")
        },
        RulePair("SE-16", "an empty kiosk") { archive in
            try archive.edit(.kiosk) { $0["anchor_id"] = .null }
        } keeps: { archive in
            let kiosk = try archive.first(.kiosk)
            let amenity = try archive.first(.amenity) { $0["category"] == "bus" }
            try archive.edit(.kiosk) { $0["anchor_id"] = .null }
            let unit = try archive.first(.unit) { $0["level_id"] == kiosk["level_id"] && $0["category"] == "walkway" }
            archive.copy(amenity) {
                $0.geometry = kiosk["display_point"] ?? .null
                $0["unit_ids"] = [unit.id.json]
            }
        },
    ]

    private static let names: [RulePair] = [
        RulePair("SE-17", "a gate without a name") { archive in
            try archive.edit(.amenity, where: { $0["category"] == "bus" }) {
                $0["category"] = "boardinggate.bus"
                $0["name"] = .null
            }
        } keeps: { archive in
            try archive.edit(.amenity, where: { $0["category"] == "bus" }) { $0["category"] = "boardinggate.bus" }
        },
        RulePair("SE-18", "two gates of the same name", along: ["TO"]) { archive in
            try archive.edit(.amenity, where: { $0["category"] == "bus" }) { $0["category"] = "boardinggate.bus" }
            archive.copy(try archive.first(.amenity) { $0["category"] == "boardinggate.bus" })
        } keeps: { archive in
            try archive.edit(.amenity, where: { $0["category"] == "bus" }) { $0["category"] = "boardinggate.bus" }
            archive.copy(try archive.first(.amenity) { $0["category"] == "boardinggate.bus" }) {
                $0["name"] = ["ja": "二番のりば"]
            }
        },
        .value(
            "SE-18", of: .amenity, where: { $0["category"] == "bus" }, "name", breaks: ["ja": "バス", "en": "Bus"],
            keeps: ["ja": "バス", "en": "Buses"]),
        .value("SE-19", of: .occupant, "website", breaks: .null, keeps: .none),
        RulePair("SE-19", "an occupant twice at one anchor", .info, along: ["SE-20", "SE-21"]) { archive in
            archive.copy(try archive.first(.occupant) { $0["correlation_id"] == .null })
        } keeps: { archive in
            archive.copy(try archive.first(.occupant) { $0["correlation_id"] == .null }) {
                $0["name"] = ["ja": "別の店", "en": "Another"]
            }
        },
        .value("SE-24", of: .venue, "phone", breaks: .null, keeps: .none),
    ]

    private static let correlation: [RulePair] = [
        .value("SE-20", of: .section, "correlation_id", breaks: FeatureID.unknown.json, keeps: .null),
        RulePair("SE-21", "two correlated features on one level", along: ["SE-22"]) { archive in
            try archive.correlate(.section) { $0["level_id"] == $1["level_id"] }
        } keeps: { archive in
            try archive.correlate(.section) { $0["level_id"] != $1["level_id"] }
        },
        RulePair("SE-22", "two correlated features of different categories") { archive in
            try archive.correlate(.section) { $0["level_id"] != $1["level_id"] && $0["category"] != $1["category"] }
        } keeps: { archive in
            try archive.correlate(.section) { $0["level_id"] != $1["level_id"] }
        },
        RulePair("SE-23", "a correlation id that is a feature's id") { archive in
            let unit = try archive.first(.unit)
            try archive.correlate(.section, by: unit.id) { $0["level_id"] != $1["level_id"] }
        } keeps: { archive in
            try archive.correlate(.section) { $0["level_id"] != $1["level_id"] }
        },
    ]

    private static let relations: [RulePair] = [
        .value("SE-25", of: .geofence, "building_ids", breaks: .null, keeps: .none),
        RulePair("SE-26", "a section that is its own ancestor", along: ["SE-25", "TO"]) { archive in
            try archive.edit(.section) { $0["parents"] = [$0.id.json] }
        } keeps: { archive in
            let other = try archive.first(.section) { $0["parents"] == .null }
            archive.copy(other) { $0["parents"] = [other.id.json] }
        },
        .value("SE-27", of: .relationship, "destination", breaks: .null, keeps: .none),
        RulePair("SE-27", "a lift within one level") { archive in
            try archive.edit(.relationship, where: { $0["category"] == "traversal" }) { $0["category"] = "elevator" }
        } keeps: { archive in
            try archive.edit(.relationship, where: { $0["category"] == "traversal" }) { $0["category"] = "ramp" }
        },
    ]
}

extension TestArchive {
    /// Moves all floors of the annex up.
    fileprivate mutating func liftAnnex(by count: Double) throws {
        let annex = self.venue.features.last { $0.type == .building }?.id.json ?? .null
        let levels = self.venue.features.count { $0.type == .level && $0["building_ids"] == [annex] }
        try self.edit(.level, count: levels, where: { $0["building_ids"] == [annex] }) {
            $0["ordinal"] = .number(($0["ordinal"]?.number ?? 0) + count)
        }
    }

    /// Lets a unit be a restroom, and an amenity in it as well.
    fileprivate mutating func setRestroom(unit: String, amenity: String) throws {
        let restroom = try self.first(.amenity) { $0["category"]?.string?.hasPrefix("restroom") == true }
        let units = restroom["unit_ids"]?.array ?? []
        try self.edit(.unit, where: { units.contains($0.id.json) }) { $0["category"] = .string(unit) }
        try self.edit(.amenity, where: { $0.id == restroom.id }) { $0["category"] = .string(amenity) }
    }

    /// Gives one correlation id to two features of a type that are as a condition has it.
    fileprivate mutating func correlate(
        _ type: FeatureType, by id: FeatureID = .unknown, where condition: (SampleFeature, SampleFeature) -> Bool
    ) throws {
        let features = self.venue.features.filter { $0.type == type }
        for feature in features {
            // Those of one category come first, so that only what the condition asks for differs.
            let others = features.filter { $0.id != feature.id && condition(feature, $0) }
            guard let other = others.first(where: { $0["category"] == feature["category"] }) ?? others.first
            else { continue }
            let pair = [feature.id, other.id]
            try self.edit(type, count: 2, where: { pair.contains($0.id) }) { $0["correlation_id"] = id.json }
            return
        }
        throw Missing(type: type)
    }
}
