import IMDF

/// One rule being checked: its findings, and the work that it may still do.
///
/// Every rule has a budget, whatever it looks at. Reading the feature that it is given is free, because the archive bounds that.
/// Whatever it looks up besides has to be paid for, with ``spend(_:)`` or by the methods of ``ValidationContext`` that take a
/// run. Only an archive that was made to be slow uses up a budget; the rule is then reported as skipped.
package struct RuleRun {
    private(set) var findings: FindingCollector
    /// Features that could not be checked, because GEOS failed on their geometries.
    private(set) var failures = 0
    /// Why the rule ended early; nil if it did not.
    private(set) var endReason: ComputationFailure.Kind?
    private let budget: WorkBudget
    private let clock: RunClock?
    /// Charges the budget for what GEOS does; nil for rules that compute nothing with geometries.
    private let geos: GEOSContext?
    private var timeUsed = Duration.zero

    var hasEnded: Bool { self.endReason != nil }

    init(_ rule: Rule, budget: WorkBudget, clock: RunClock?, geos: GEOSContext? = nil) {
        self.findings = FindingCollector(of: rule)
        self.budget = budget
        self.clock = clock
        self.geos = geos
    }

    // MARK: - Work

    /// Does a part of the rule's work, within its budget and time limit.
    mutating func perform(_ work: (inout RuleRun) throws -> Void) {
        guard !self.hasEnded else { return }
        self.geos?.budget = self.budget
        defer { self.geos?.budget = nil }
        guard let clock = self.clock else { return self.attempt(work) }
        let time = clock.measure(within: RunClock.ruleLimit - self.timeUsed) { self.attempt(work) }
        self.timeUsed += time
    }

    /// Does a step. A step on which GEOS fails is counted, and the rule goes on; at the end of the budget or time the rule ends.
    private mutating func attempt(_ work: (inout RuleRun) throws -> Void) {
        guard !self.hasEnded else { return }
        do {
            try work(&self)
        } catch let failure as ComputationFailure where failure.kind == .exhausted || failure.kind == .stopped {
            self.endReason = failure.kind
        } catch {
            self.failures += 1
        }
    }

    /// Does a step for each element until the rule ends. Returns the number of elements that no step was done for.
    @discardableResult
    mutating func forEach<Element>(
        _ elements: some Collection<Element>, _ work: (Element, inout RuleRun) throws -> Void
    ) -> Int {
        var rest = elements.count
        for element in elements {
            guard !self.hasEnded else { break }
            self.attempt { try work(element, &$0) }
            if !self.hasEnded { rest -= 1 }
        }
        return rest
    }

    /// Takes the cost of a step from the budget, in units of about 0.1 µs.
    func spend(_ cost: Int) throws(ComputationFailure) {
        if self.clock?.mustStop == true { throw .stopped }
        try self.budget.spend(cost)
    }

    /// Takes the cost of reading the properties of a feature other than the one that the rule was given.
    func spend(reading feature: ValidationFeature) throws(ComputationFailure) {
        try self.spend(feature.readingCost)
    }

    // MARK: - Findings

    /// Adds a finding about a feature.
    ///
    /// - Parameters:
    ///   - path: an RFC 6901 pointer relative to the feature, such as `/properties/name`.
    ///   - severity: if it is not the rule's own.
    ///   - position: where on the map; by default the position of the feature.
    mutating func add(
        _ message: @autoclosure () -> String, about feature: ValidationFeature, path: @autoclosure () -> String = "",
        severity: Finding.Severity? = nil, at position: Position? = nil
    ) {
        self.findings.add(message(), about: feature, path: path(), severity: severity, at: position)
    }

    /// Adds a finding about the archive or one of its files.
    mutating func add(
        _ message: @autoclosure () -> String, file: String? = nil, pointer: String? = nil,
        severity: Finding.Severity? = nil
    ) {
        self.findings.add(message(), file: file, pointer: pointer, severity: severity)
    }

    /// Counts findings that are not reported one by one.
    mutating func add(unreported count: Int) {
        self.findings.add(unreported: count)
    }

    /// Counts features that could not be checked.
    mutating func addFailures(_ features: Int) { self.failures += features }
}
