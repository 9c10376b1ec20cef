import IMDF
import SampleVenue

extension RulePair {
    static let advice: [RulePair] = [
        RulePair("VT-01", "a section without a label", along: ["SE"]) { archive in
            try archive.edit(.venue) { $0["category"] = "airport.intl" }
            try archive.edit(.section) { $0["category"] = "security" }
        } keeps: { archive in
            try archive.edit(.venue) { $0["category"] = "airport.intl" }
            let level = try archive.first(.level)
            try archive.edit(.section) {
                $0["category"] = "security"
                $0["display_point"] = level["display_point"]
            }
        },
        RulePair("VT-02", "a station without a platform") { archive in
            try archive.edit(.venue) { $0["category"] = "trainstation" }
        } keeps: { archive in
            try archive.edit(.venue) { $0["category"] = "trainstation" }
            try archive.edit(.unit, where: { $0["category"] == "unenclosedarea" }) { $0["category"] = "platform" }
        },
        RulePair("VT-03", "stairs without a display point", along: ["RT-01", "RT-03"]) { archive in
            try archive.setStairs(label: .null)
        } keeps: { archive in
            let unit = try archive.first(.unit) { $0["category"] == "storage" }
            try archive.setStairs(label: unit["display_point"] ?? .null)
        },
    ]
}

extension TestArchive {
    /// Makes stairs of a unit that no amenity names.
    fileprivate mutating func setStairs(label: JSONValue) throws {
        try self.edit(.unit, where: { $0["category"] == "storage" }) {
            $0["category"] = "stairs"
            $0["display_point"] = label
        }
    }
}
