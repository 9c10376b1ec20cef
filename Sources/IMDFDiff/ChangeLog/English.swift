import IMDF

struct English: DescriptionLanguage {
    let nothing = "Nothing but formatting changed"

    func rest(_ count: Int) -> String {
        count == 1 ? "1 other change" : "\(count) other changes"
    }

    func sentence(_ news: News, _ place: Place) -> String {
        if news.subject.rawValue == "manifest" { return "Manifest changed" }
        if news.subject == .level, case .named(let names) = place, let verb = self.verb(news) {
            return "\(names.count == 1 ? "Floor" : "Floors") \(verb): \(self.list(names))"
        }
        let subject = self.subject(news)
        guard let verb = self.verb(news) else { return "\(subject) changed" }
        return "\(subject) \(verb)\(self.whereabouts(news, news.subject == .level ? .nowhere : place))"
    }

    private func subject(_ news: News) -> String {
        // There is only one, so nobody counts it.
        if news.subject == .venue, news.count == 1 { return "Venue" }
        let noun =
            Self.nouns[news.subject]
            ?? ("“\(news.subject.quotable)” feature", "“\(news.subject.quotable)” features")
        return "\(news.count) \(news.count == 1 ? noun.one : noun.many)"
    }

    private func verb(_ news: News) -> String? {
        guard let event = news.event else { return nil }
        return switch event {
        case .added: "added"
        case .opened: "opened"
        case .removed: "removed"
        case .closed: "closed"
        case .moved where news.levels == [nil]: news.count == 1 ? "no longer belongs" : "no longer belong"
        case .moved, .relocated: "moved"
        case .renamed: "renamed"
        case .redrawn: "redrawn"
        case .shifted: "shifted"
        case .recategorised: "recategorised"
        case .rehoured: "with new opening hours"
        case .recontacted: "with new contact details"
        case .relinked: "linked differently"
        case .retyped: news.count == 1 ? "turned into another type" : "turned into other types"
        case .updated: "updated"
        case .changed: "changed"
        }
    }

    private func whereabouts(_ news: News, _ place: Place) -> String {
        let name: String
        switch place {
        case .nowhere:
            switch news.event {
            case .moved where news.levels == [nil]: return " to a single floor"
            case .moved: return news.count == 1 ? " to another floor" : " to other floors"
            case .relocated where news.levels.contains(nil):
                return news.count == 1 ? " to another place" : " to other places"
            case .relocated: return news.count == 1 ? " within its floor" : " within their floors"
            default: return ""
            }
        case .named(let names): name = self.list(names)
        case .floors(let count): name = "\(count) floors"
        }
        return switch news.event {
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
