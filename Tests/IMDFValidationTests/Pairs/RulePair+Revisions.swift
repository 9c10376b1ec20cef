import IMDF
import IMDFValidation
import SampleVenue

extension RulePair {
    static let revisions: [RulePair] = [
        RulePair("RV-01", "a changed type") { archive in
            let detail = try archive.first(.detail)
            archive.follow { $0.features[detail.id] = .init(type: .kiosk, level: $0.features[detail.id]?.level) }
        } keeps: { archive in
            archive.follow()
        },
        RulePair("RV-02", "most units under new ids") { archive in
            archive.followUnderOtherIDs(of: 51)
        } keeps: { archive in
            archive.followUnderOtherIDs(of: 49)
        },
        RulePair("RV-03", "another venue feature") { archive in
            archive.follow { $0.venueFeature = .unknown }
        } keeps: { archive in
            archive.follow()
        },
        RulePair("RV-03", "a removed origin") { archive in
            archive.follow { $0.manifest["origin"] = FeatureID.unknown.json }
        } keeps: { archive in
            archive.venue.manifest["origin"] = FeatureID.unknown.json
            archive.follow()
        },
        RulePair("RV-04", "a unit on another level") { archive in
            let level = try archive.first(.level) { $0["outdoor"] == true }
            let detail = try archive.first(.detail) { $0["level_id"] != level.id.json }
            archive.follow { $0.features[detail.id] = .init(type: .detail, level: level.id) }
        } keeps: { archive in
            archive.follow()
        },
        RulePair("RV-04", "a removed level whose features remain") { archive in
            let detail = try archive.first(.detail)
            archive.follow { $0.features[detail.id] = .init(type: .detail, level: .unknown) }
        } keeps: { archive in
            archive.follow { $0.features[.unknown] = .init(type: .level, level: nil) }
        },
        RulePair("RV-04", "a level of another building") { archive in
            let level = try archive.first(.level) { $0["outdoor"] == false }
            let other = try archive.first(.building) { [$0.id.json] != level["building_ids"] }
            archive.follow { $0.features[level.id] = .init(type: .level, level: nil, buildings: [other.id]) }
        } keeps: { archive in
            // The building that it was in was torn down.
            let level = try archive.first(.level) { $0["outdoor"] == false }
            archive.follow { $0.features[level.id] = .init(type: .level, level: nil, buildings: [.unknown]) }
        },
        RulePair("RV-05", "another notation") { archive in
            let detail = try archive.first(.detail)
            archive.follow { $0.equivalent = [detail.id] }
        } keeps: { archive in
            archive.follow()
        },
        RulePair("RV-06", "a reused id") { archive in
            let detail = try archive.first(.detail)
            archive.follow {
                $0.features[detail.id] = nil
                $0.returning = [detail.id]
            }
        } keeps: { archive in
            let detail = try archive.first(.detail)
            archive.follow { $0.features[detail.id] = nil }
        },
    ]
}

extension TestArchive {
    /// Lets so many of a hundred units have had other ids before.
    fileprivate mutating func followUnderOtherIDs(of percent: Int) {
        var random = SplitMix64(seed: 3)
        let units = self.venue.features.filter { $0.type == .unit }
        let renamed = units.prefix(percent > 50 ? units.count / 2 + 1 : units.count / 2)
        self.follow { earlier in
            for unit in renamed {
                let id = FeatureID.random(using: &random)
                earlier.features[id] = earlier.features.removeValue(forKey: unit.id)
                earlier.matched[unit.id] = id
            }
        }
    }
}
