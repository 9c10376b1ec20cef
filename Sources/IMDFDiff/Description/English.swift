import IMDF

struct English: DescriptionLanguage {
    let nothing = "Nothing but formatting changed"

    func rest(_ count: Int) -> String {
        count == 1 ? "1 other change" : "\(count) other changes"
    }

    func level(_ name: String, in building: String) -> String {
        "\(name) (\(building))"
    }

    func sentence(_ group: FactGroup, _ levels: LevelPhrase) -> String {
        if group.subject.rawValue == "manifest" { return "Manifest changed" }
        if let reason = group.unknownReach { return self.sentence(reason) }
        if let type = group.typeBefore {
            let result = group.count == 1 ? self.withArticle(self.noun(group.subject, 1)) : self.noun(group.subject, 2)
            let place = self.whereabouts(group, group.subject == .level ? .none : levels)
            return "\(group.count) \(self.noun(type, group.count)) turned into \(result)\(place)"
        }
        if group.subject == .level, case .names(let names, let count) = levels, let verb = self.verb(group) {
            let noun = names.count < count ? "\(count) floors" : count == 1 ? "Floor" : "Floors"
            return "\(noun) \(verb): \(self.list(names))"
        }
        let subject = self.subject(group)
        guard let verb = self.verb(group) else { return "\(subject) changed" }
        return "\(subject) \(verb)\(self.whereabouts(group, group.subject == .level ? .none : levels))"
    }

    private func sentence(_ reason: UnknownReach) -> String {
        switch reason {
        case .noExit: "It can no longer be said which places can be reached: the map has no exit any more"
        case .tooComplex: "It can no longer be said which places can be reached: the map is too complex"
        case .tooLarge: "It is unknown what this does to the places that can be reached: the map is too large"
        case .tooSlow: "It is unknown what this does to the places that can be reached: the search took too long"
        }
    }

    private func subject(_ group: FactGroup) -> String {
        // A venue has only one venue feature.
        if group.subject == .venue, group.count == 1 { return "Venue" }
        return "\(group.count) \(self.noun(group.subject, group.count))"
    }

    private func noun(_ type: FeatureType, _ count: Int) -> String {
        let noun = Self.nouns[type] ?? ("“\(type.quotable)” feature", "“\(type.quotable)” features")
        return count == 1 ? noun.one : noun.many
    }

    /// Of the nouns only `unit` begins with a vowel letter and takes “a”.
    private func withArticle(_ noun: String) -> String {
        noun.first.map { "aeio".contains($0) } == true ? "an \(noun)" : "a \(noun)"
    }

    private func verb(_ group: FactGroup) -> String? {
        guard let event = group.event else { return nil }
        return switch event {
        case .added: "added"
        case .opened: "opened"
        case .removed: "removed"
        case .closed: "closed"
        case .moved where group.levels == [nil]: group.count == 1 ? "no longer belongs" : "no longer belong"
        case .moved, .relocated: "moved"
        case .renumbered: "renumbered"
        case .renamed: "renamed"
        case .translated: "with other translations"
        case .redrawn: "redrawn"
        case .shifted: "shifted"
        case .recategorised: "recategorised"
        case .rehoured: "with new opening hours"
        case .recontacted: "with new contact details"
        case .relinked: "linked differently"
        case .retyped: group.count == 1 ? "turned into another type" : "turned into other types"
        case .updated: "updated"
        case .changed: "changed"
        case .cutOff: "can no longer be reached"
        case .stepFreeLost: group.count == 1 ? "loses its step-free way" : "lose their step-free way"
        case .connected: "can be reached now"
        case .stepFreeGained: group.count == 1 ? "has a step-free way now" : "have a step-free way now"
        }
    }

    private func whereabouts(_ group: FactGroup, _ levels: LevelPhrase) -> String {
        let name: String
        switch levels {
        case .none:
            switch group.event {
            case .moved where group.levels == [nil]: return " to a single floor"
            case .moved: return group.count == 1 ? " to another floor" : " to other floors"
            case .relocated where group.levels.contains(nil):
                return group.count == 1 ? " to another place" : " to other places"
            case .relocated: return group.count == 1 ? " within its floor" : " within their floors"
            default: return ""
            }
        case .names(let names, _): name = self.list(names)
        case .count(let count): name = "\(count) floors"
        }
        return switch group.event {
        case .moved: " to \(name)"
        case .relocated: " within \(name)"
        case .removed: " from \(name)"
        default: " on \(name)"
        }
    }

    private func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }

    private static let nouns: [FeatureType: (one: String, many: String)] = [
        .address: ("address", "addresses"), .venue: ("venue", "venues"), .building: ("building", "buildings"),
        .footprint: ("footprint", "footprints"), .level: ("floor", "floors"), .section: ("section", "sections"),
        .unit: ("unit", "units"), .anchor: ("anchor", "anchors"), .amenity: ("amenity", "amenities"),
        .kiosk: ("kiosk", "kiosks"), .fixture: ("fixture", "fixtures"), .detail: ("detail", "details"),
        .opening: ("doorway", "doorways"), .occupant: ("shop", "shops"), .geofence: ("geofence", "geofences"),
        .relationship: ("connection", "connections"), .anything: ("feature", "features"),
    ]
}
