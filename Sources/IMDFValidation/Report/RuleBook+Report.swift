extension RuleBook {
    /// Runs the rules over an archive.
    ///
    /// Two phases in one pass: what a rule needs and a feature has not is skipped, and said to be skipped. The same archive
    /// makes the same report, in whatever order its features are written, apart from the pointers into its files.
    ///
    /// - Parameter tolerance: in metres; what fails a rule of topology by no more is told as a remark.
    package static func report(
        on examination: ValidationContext, selection: RuleSelection = .all, tolerance: Double = 0.01
    ) -> Report {
        self.report(on: examination, selection: selection, tolerance: tolerance, interruption: nil) { _ in }
    }

    static let tookTooLong = "That took too long; the rest was not looked at."

    /// - Parameters:
    ///   - interruption: makes what is under way end soon; the next call of `progress` then has to throw.
    ///   - progress: called with the number of rules that are done after every rule and between the levels of a venue; what it
    ///     throws ends the run.
    package static func report(
        on examination: ValidationContext, selection: RuleSelection = .all, tolerance: Double = 0.01,
        interruption: Interruption?, progress: (Int) throws -> Void
    ) rethrows -> Report {
        let clock = RunClock(interruption)
        return try clock.whileOnThread {
            try self.report(
                on: examination, selection: selection, tolerance: tolerance, clock: clock, progress: progress)
        }
    }

    private static func report(
        on examination: ValidationContext, selection: RuleSelection, tolerance: Double, clock: RunClock,
        progress: (Int) throws -> Void
    ) rethrows -> Report {
        var collector = ReportCollector(selection: selection)
        collector.add(examination.doorFindings)
        // All that is done on the plane is done in one go, when the first such rule comes.
        let onPlane = Self.all.filter { selection.contains($0.id) && $0.isOnPlane }
        var survey: [String: GeometryPass.Result]?
        for (number, rule) in Self.all.enumerated() where selection.contains(rule.id) {
            if rule.isOnPlane {
                if survey == nil {
                    survey = try GeometryPass.results(
                        of: onPlane, over: examination, tolerance: tolerance, clock: clock
                    ) {
                        try progress(number)
                    }
                }
                if let result = survey?[rule.id] { collector.add(result, of: rule, in: examination) }
            } else {
                Self.run(rule, over: examination, clock: clock, into: &collector)
            }
            try progress(number + 1)
        }
        return collector.report()
    }

    private static func run(
        _ rule: Rule, over examination: ValidationContext, clock: RunClock, into collector: inout ReportCollector
    ) {
        if rule.needs.contains(.manifest), examination.manifest == nil {
            return collector.skip(rule, because: "There is no manifest that can be read.", features: nil)
        }
        if rule.needs.contains(.previous), examination.previous == nil {
            return collector.skip(rule, because: "There is no revision to compare with.", features: nil)
        }
        if clock.isRunOver { return collector.skip(rule, because: Self.tookTooLong, features: nil) }
        var remarks = FindingCollector(of: rule)
        var passedOver = 0
        switch rule.check {
        case .atTheDoor, .plane: return
        case .whole(let check):
            check(examination, &remarks)
            for type in rule.types ?? examination.types {
                passedOver +=
                    examination.count(of: type) - examination.features(of: type, meeting: rule.needs).count
            }
        case .each(let check):
            for type in rule.types ?? examination.types {
                let features = examination.features(of: type, meeting: rule.needs)
                for (number, feature) in features.enumerated() {
                    if clock.mustStop {
                        collector.skip(rule, because: Self.tookTooLong, features: features.count - number)
                        break
                    }
                    check(feature, examination, &remarks)
                }
                passedOver += examination.count(of: type) - features.count
            }
        }
        if passedOver > 0 {
            collector.skip(rule, because: rule.needs.reason, features: passedOver)
        }
        if remarks.passedOver > 0 {
            collector.skip(rule, because: "There was too much to compare.", features: remarks.passedOver)
        }
        let counts = remarks.counts
        collector.add(remarks.findings(in: examination), counts: counts, of: rule)
    }
}

extension Rule.Needs {
    /// Why features are passed over that do not meet this.
    fileprivate var reason: String {
        var wants: [String] = []
        if self.contains(.properties) { wants.append("properties that are an object") }
        if self.contains(.references) { wants.append("references that lead where they should") }
        if self.contains(.geometry) { wants.append("a geometry of their type's class that can be read") }
        return "The features lack \(wants.joined(separator: ", or "))."
    }
}
