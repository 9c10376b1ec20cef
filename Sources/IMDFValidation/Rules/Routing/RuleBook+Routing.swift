import IMDF
import Wayfinding

extension RuleBook {
    /// What keeps routes from places. One finding for each level names how many features it is about, and the first of them.
    ///
    /// They are checked if the archive has openings; without any, nobody expects routes, and SE-06 reports that.
    static let routing: [Rule] = [
        .routing(
            "RT-01", .warning, "Every public unit has an opening to another unit, or leads to another level.", of: .unit
        ) { faults, run in
            run.report(faults, \.unitsWithoutOpening) { count, list in
                count == 1
                    ? "A public unit has no opening to another unit: \(list)."
                    : "\(count) public units have no opening to another unit: \(list)."
            }
        },
        .routing("RT-02", .warning, "Every opening leads into a unit.", of: .opening) { faults, run in
            run.report(faults, \.looseOpenings) { count, list in
                count == 1
                    ? "An opening leads into no unit: \(list)."
                    : "\(count) openings lead into no unit: \(list)."
            }
        },
        .routing("RT-03", .warning, "Lifts, stairs, escalators and ramps lead to another level.", of: .unit) {
            faults, run in
            run.report(faults, \.unlinked) { count, list in
                count == 1
                    ? "A lift, stairs, an escalator or a ramp leads to no other level: \(list)."
                    : "\(count) lifts, stairs, escalators or ramps lead to no other level: \(list)."
            }
        },
        .routing("RT-04", .info, "An opening joins one pair of units.", of: .opening) { faults, run in
            run.report(faults, \.ambiguousOpenings) { count, list in
                count == 1
                    ? "An opening joins several pairs of units: \(list)."
                    : "\(count) openings join several pairs of units: \(list)."
            }
        },
        .routing(
            "RT-05", .info, "An opening of the category pedestrian.principal or emergencyexit leads outside.",
            of: .opening
        ) { faults, run in
            if !faults.hasExit { run.add("No opening is an exit, so what can be reached from outside is not known.") }
        },
        .routing("RT-06", .info, "Openings between units are at least 0.8 m wide.", of: .opening) { faults, run in
            run.report(faults, \.narrowOpenings) { count, list in
                count == 1
                    ? "An opening is narrower than 0.8 m, so that step-free routes do not pass it: \(list)."
                    : "\(count) openings are narrower than 0.8 m, so that step-free routes do not pass them: \(list)."
            }
        },
        .routing("RT-07", .warning, "Every public unit with openings can be reached from an exit.", of: .unit) {
            faults, run in
            run.report(faults, \.cutOff) { count, list in
                count == 1
                    ? "A public unit cannot be reached from any exit: \(list)."
                    : "\(count) public units cannot be reached from any exit: \(list)."
            }
        },
    ]
}

extension Rule {
    /// A rule about routes. All are checked over the same map, which is computed once.
    fileprivate static func routing(
        _ id: String, _ severity: Finding.Severity, _ title: String, of type: FeatureType,
        _ check: @escaping @Sendable (RoutingPlan, inout RuleRun) -> Void
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: "our own", needs: [.geometry, .properties],
            types: [type], check: .routing(check))
    }
}

extension RuleRun {
    private static var listed: Int { 5 }

    /// Adds a finding about every level on which something is the matter, at the first feature of each.
    fileprivate mutating func report(
        _ plan: RoutingPlan, _ features: KeyPath<RoutingFaults.OfLevel, [FeatureID]>,
        message: (_ count: Int, _ list: String) -> String
    ) {
        for level in plan.faults.levels {
            let found = level[keyPath: features].sorted()
            guard let first = found.first, let feature = plan.context[level.level] else { continue }
            let list = found.prefix(Self.listed).map(\.description).joined(separator: ", ")
            self.add(
                message(found.count, found.count > Self.listed ? list + " …" : list), about: feature,
                at: plan.context[first].flatMap { plan.context.point(of: $0) })
        }
    }
}
