import IMDF

/// One rule at work on the plane: what it has to say, and what it may still cost.
///
/// Only what is made to be slow uses up its budget, and then the rule is reported as skipped.
struct Inspection {
    var remarks: FindingCollector
    /// Features that GEOS could not judge.
    private(set) var failures = 0
    /// Why the rule did not go on; nil for one that did.
    private(set) var end: Plane.Failure.Kind?
    private let budget: WorkBudget
    private let plane: Plane
    private var timeUsed = Duration.zero

    var isExhausted: Bool { self.end != nil }

    init(_ remarks: FindingCollector, on plane: Plane, budget: WorkBudget) {
        self.remarks = remarks
        self.plane = plane
        self.budget = budget
    }

    /// Does a part of a rule's work, paid from the rule's budget and within its time.
    mutating func run(_ work: (inout Inspection) throws -> Void) {
        guard !self.isExhausted else { return }
        self.plane.budget = self.budget
        defer { self.plane.budget = nil }
        guard let clock = self.plane.clock else { return self.attempt(work) }
        let (result, time) = clock.measure(within: RunClock.ruleLimit - self.timeUsed) {
            var copy = self
            copy.attempt(work)
            return copy
        }
        self = result
        self.timeUsed += time
    }

    /// Does a piece of the work; when GEOS gives up on it, that is counted and the next piece is done.
    private mutating func attempt(_ work: (inout Inspection) throws -> Void) {
        guard !self.isExhausted else { return }
        do {
            try work(&self)
        } catch let failure as Plane.Failure where failure.kind == .exhausted || failure.kind == .stopped {
            self.end = failure.kind
        } catch {
            self.failures += 1
        }
    }

    /// Does a piece of work for each element.
    mutating func forEach<Element>(
        _ elements: some Sequence<Element>, _ work: (Element, inout Inspection) throws -> Void
    ) {
        for element in elements {
            guard !self.isExhausted else { return }
            self.attempt { try work(element, &$0) }
        }
    }

    /// Takes what a step costs, in tenths of a microsecond or so, from what is left.
    func spend(_ cost: Int) throws {
        try self.plane.spend(cost)
    }

    /// Counts features that could not be judged.
    mutating func passOver(_ features: Int) { self.failures += features }
}
