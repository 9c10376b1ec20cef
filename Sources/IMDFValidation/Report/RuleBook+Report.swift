package import IMDF

extension RuleBook {
    /// Checks an archive against the rules.
    ///
    /// A feature that lacks what a rule needs is not checked by the rule and counted as skipped. Equal archives have equal
    /// reports, apart from the pointers into files, in whatever order their features are written.
    ///
    /// - Parameter tolerance: in meters. Violations of a rule of topology by no more than this are reported as `info`.
    package static func report(
        on context: ValidationContext, selection: RuleSelection = .all, tolerance: Double = 0.01
    ) -> FindingReport {
        self.report(on: context, selection: selection, tolerance: tolerance, interruption: nil) { _ in }
    }

    /// Rules that report that something is missing, or that the features there are do not suffice. Over an archive of which some features
    /// could not be read they would report what is not so.
    static let needingAllFeatures: Set<String> = [
        "ST-14", "RQ-13", "RQ-14", "RQ-15", "RQ-16", "SE-01", "SE-02", "SE-05", "SE-06", "SE-08", "SE-10", "SE-11",
        "SE-12", "SE-16", "SE-17", "SE-20", "SE-22", "SE-27", "TO-05", "TO-06", "TO-07", "TO-09", "TO-14", "TO-21",
        "TO-22", "RT-01", "RT-02", "RT-03", "RT-05", "RT-07", "VT-02", "VT-03",
    ]

    package static let isIncomplete = "Some features could not be read, and the rule needs all of them."

    static let isTooMuch = "There is too much to compare; the rest was not checked."

    package static let tookTooLong = "The rule took too long; the rest was not checked."

    /// - Parameters:
    ///   - interruption: makes the current rule end soon. The next call of `progress` then has to throw.
    ///   - progress: called with the number of completed rules after each rule and between the levels of a venue. An error
    ///     thrown by it ends the run.
    package static func report(
        on context: ValidationContext, selection: RuleSelection = .all, tolerance: Double = 0.01,
        interruption: Interruption?, progress: (Int) throws -> Void
    ) rethrows -> FindingReport {
        let clock = RunClock(interruption)
        return try clock.whileOnThread {
            try self.report(on: context, selection: selection, tolerance: tolerance, clock: clock, progress: progress)
        }
    }

    private static func report(
        on context: ValidationContext, selection: RuleSelection, tolerance: Double, clock: RunClock,
        progress: (Int) throws -> Void
    ) rethrows -> FindingReport {
        var collector = ReportCollector(selection: selection)
        collector.add(context.readingFindings)
        // All rules that compute with geometries are checked in one pass, when the first of them comes.
        let excluded = context.isIncomplete ? Self.needingAllFeatures : []
        let planarRules = Self.all.filter { selection.contains($0.id) && $0.isPlanar && !excluded.contains($0.id) }
        var planarResults: [String: GeometryPass.Result]?
        let budget = WorkBudget.ofRun(readingCost: context.readingCost)
        // So are those about routes.
        var routing: (plan: RoutingPlan?, reason: String?)?
        for (number, rule) in Self.all.enumerated() where selection.contains(rule.id) {
            if excluded.contains(rule.id) {
                collector.skip(rule, because: Self.isIncomplete, features: nil)
            } else if rule.isPlanar {
                if planarResults == nil {
                    planarResults = try GeometryPass.results(
                        of: planarRules, over: context, tolerance: tolerance, clock: clock
                    ) {
                        try progress(number)
                    }
                }
                if let result = planarResults?[rule.id] { collector.add(result, of: rule, in: context) }
            } else if case .routing(let check) = rule.check {
                let current = routing ?? Self.routingPlan(over: context, clock: clock)
                routing = current
                if let reason = current.reason { collector.skip(rule, because: reason, features: nil) }
                if let plan = current.plan { Self.check(rule, check, plan, clock: clock, into: &collector) }
            } else {
                Self.check(rule, context, within: budget, clock: clock, into: &collector)
            }
            try progress(number + 1)
        }
        return collector.report(checkedAt: context.now)
    }

    /// What the rules about routes look at, or why they cannot; neither for an archive of which nobody expects routes.
    private static func routingPlan(
        over context: ValidationContext, clock: RunClock
    ) -> (plan: RoutingPlan?, reason: String?) {
        guard RoutingPlan.isExpected(of: context) else { return (nil, nil) }
        guard !RoutingPlan.isTooLarge(context) else { return (nil, Self.isTooMuch) }
        guard !clock.isRunOver else { return (nil, Self.tookTooLong) }
        var plan: RoutingPlan?
        var isLate = false
        _ = clock.measure(within: RunClock.ruleLimit) {
            plan = RoutingPlan(context) { clock.mustStop }
            isLate = clock.mustStop
        }
        guard !isLate else { return (nil, Self.tookTooLong) }
        return plan?.isTooComplex == true ? (nil, Self.isTooMuch) : (plan, nil)
    }

    private static func check(
        _ rule: Rule, _ check: (RoutingPlan, inout RuleRun) -> Void, _ plan: RoutingPlan, clock: RunClock,
        into collector: inout ReportCollector
    ) {
        var run = RuleRun(rule, budget: WorkBudget(0), clock: clock)
        check(plan, &run)
        let counts = run.findings.counts
        collector.add(run.findings.findings(in: plan.context), counts: counts, of: rule)
    }

    private static func check(
        _ rule: Rule, _ context: ValidationContext, within budget: WorkBudget, clock: RunClock,
        into collector: inout ReportCollector
    ) {
        if rule.needs.contains(.manifest), context.manifest == nil {
            return collector.skip(rule, because: "There is no readable manifest.", features: nil)
        }
        if rule.needs.contains(.previous), context.previous == nil {
            return collector.skip(rule, because: "There is no revision to compare with.", features: nil)
        }
        if clock.isRunOver { return collector.skip(rule, because: Self.tookTooLong, features: nil) }
        var run = RuleRun(rule, budget: .ofRule(readingCost: context.readingCost, within: budget), clock: clock)
        var unchecked: Int?
        switch rule.check {
        case .onReading, .planar, .routing: return
        case .whole(let check):
            run.perform { run in
                try run.spend(context.features.count)
                try check(context, &run)
            }
        case .each(let check):
            let features = (rule.types ?? context.types).flatMap { context.features(of: $0, meeting: rule.needs) }
            run.perform { run in
                unchecked = run.forEach(features) { feature, run in
                    try run.spend(1)
                    try check(feature, context, &run)
                }
            }
        }
        switch run.endReason {
        case .exhausted:
            collector.skip(
                rule, because: Self.isTooMuch, features: unchecked)
        case .stopped: collector.skip(rule, because: Self.tookTooLong, features: unchecked)
        case .library, .intricate, nil: break
        }
        let unmet = (rule.types ?? context.types).reduce(0) { count, type in
            count + context.count(of: type) - context.features(of: type, meeting: rule.needs).count
        }
        if unmet > 0 { collector.skip(rule, because: rule.needs.reason, features: unmet) }
        let counts = run.findings.counts
        collector.add(run.findings.findings(in: context), counts: counts, of: rule)
    }
}

extension Rule.Needs {
    /// Why features are skipped that do not meet these needs.
    fileprivate var reason: String {
        var lacking: [String] = []
        if self.contains(.properties) { lacking.append("properties that are an object") }
        if self.contains(.references) { lacking.append("valid references") }
        if self.contains(.geometry) { lacking.append("a readable geometry of the class of their type") }
        return "The features lack \(lacking.joined(separator: ", or "))."
    }
}
