import IMDF
import Wayfinding

extension RuleBook {
    /// What keeps routes from places. One finding for each level names how many features it is about, and the first of them.
    ///
    /// They are checked if the archive has openings; without any, nobody expects routes, and SE-06 reports that.
    static let routing: [Rule] = [
        .routing(
            "RT-01", .warning, "Every public unit has an opening to another unit, or leads to another level.", .unit,
            \.unitsWithoutOpening, one: "A public unit has no opening to another unit",
            many: "public units have no opening to another unit"),
        .routing(
            "RT-02", .warning, "Every opening leads into a unit.", .opening, \.looseOpenings,
            one: "An opening leads into no unit", many: "openings lead into no unit"),
        .routing(
            "RT-03", .warning, "Lifts, stairs, escalators and ramps lead to another level.", .unit, \.unlinked,
            one: "A lift, stairs, an escalator or a ramp leads to no other level",
            many: "lifts, stairs, escalators or ramps lead to no other level"),
        .routing(
            "RT-04", .info, "An opening joins one pair of units.", .opening, \.ambiguousOpenings,
            one: "An opening joins several pairs of units", many: "openings join several pairs of units"),
        .routing(
            "RT-05", .info, "An opening of the category pedestrian.principal or emergencyexit leads outside.", .opening
        ) { plan, run in
            guard !plan.hasExit else { return }
            let message = "No opening is an exit, so what can be reached from outside is not known."
            guard let venue = plan.context.features(of: .venue, meeting: .properties).first else {
                return run.add(message)
            }
            run.add(message, about: venue)
        },
        .routing(
            "RT-06", .info, "Openings between units are at least 0.8 m wide.", .opening, \.narrowOpenings,
            one: "An opening is narrower than 0.8 m, so that step-free routes do not pass it",
            many: "openings are narrower than 0.8 m, so that step-free routes do not pass them"),
        .routing(
            "RT-07", .warning, "Every public unit with openings can be reached from an exit.", .unit, \.cutOff,
            one: "A public unit cannot be reached from any exit",
            many: "public units cannot be reached from any exit"),
    ]
}

extension Rule {
    /// A rule about routes. All are checked over the same map, which is computed once.
    fileprivate static func routing(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ type: FeatureType,
        _ check: @escaping @Sendable (RoutingPlan, inout RuleRun) -> Void
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: "our own", needs: [.geometry, .properties],
            types: [type], check: .routing(check))
    }

    /// A rule about the features of each level in one list of the map's faults, with a sentence about one and about several.
    fileprivate static func routing(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ type: FeatureType,
        _ faults: any KeyPath<RoutingFaults.OfLevel, [FeatureID]> & Sendable, one: String, many: String
    ) -> Rule {
        .routing(id, severity, title, type) { plan, run in
            run.report(plan, faults) { count in count == 1 ? one : "\(count) \(many)" }
        }
    }
}

extension RuleRun {
    private static var listed: Int { 5 }

    /// Adds a finding about every level on which something is the matter, at the first feature of each.
    fileprivate mutating func report(
        _ plan: RoutingPlan, _ features: KeyPath<RoutingFaults.OfLevel, [FeatureID]>, message: (_ count: Int) -> String
    ) {
        for level in plan.faults.levels {
            let found = level[keyPath: features].sorted()
            guard let first = found.first, let feature = plan.context[level.level] else { continue }
            let list = found.prefix(Self.listed).map(\.description).joined(separator: ", ")
            self.add(
                "\(message(found.count)): \(list)\(found.count > Self.listed ? " …" : "").", about: feature,
                at: plan.context[first].flatMap { plan.context.point(of: $0) })
        }
    }
}
