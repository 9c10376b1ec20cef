/// How much work may still be done, in units of about 0.1 µs.
///
/// Work is counted, not timed, so that the same archive has the same report on every machine. A step is charged for its input
/// and, where that is not known in advance, for its output: the intersection of two small areas may be large.
final class WorkBudget {
    private(set) var remaining: Int
    /// The budget of the whole run.
    private let shared: WorkBudget?

    init(_ remaining: Int, within shared: WorkBudget? = nil) {
        self.remaining = remaining
        self.shared = shared
    }

    /// Takes the cost of a step before the step is done.
    func spend(_ cost: Int) throws(ComputationFailure) {
        guard cost <= self.remaining else { throw .exhausted }
        try self.shared?.spend(cost)
        self.remaining -= cost
    }

    /// Takes the cost of a step that is known only afterwards, even if it is more than what is left.
    func spendAfterwards(_ cost: Int) throws(ComputationFailure) {
        let isCovered = cost <= self.remaining
        self.remaining = max(self.remaining - cost, 0)
        try self.shared?.spendAfterwards(cost)
        guard isCovered else { throw .exhausted }
    }

    /// The product of two counts, which may be too large for an integer.
    static func product(_ one: Int, _ other: Int, per divisor: Int) -> Int {
        Int(min(Double(one) * Double(other) / Double(divisor), 1e15))
    }
}

// MARK: - Sizes

// Budgets grow with the archive and are far larger than any real archive needs.
extension WorkBudget {
    /// The budget of one rule that reads properties.
    static func ofRule(readingCost: Int, within run: WorkBudget) -> WorkBudget {
        WorkBudget(25_000_000 + 16 * readingCost, within: run)
    }

    /// The budget of all rules together that read properties.
    static func ofRun(readingCost: Int) -> WorkBudget { WorkBudget(50_000_000 + 60 * readingCost) }

    /// The budget of one rule that computes with geometries.
    static func ofRule(vertices: Int, within run: WorkBudget) -> WorkBudget {
        WorkBudget(25_000_000 + 150 * vertices, within: run)
    }

    /// The budget for checking which geometries are valid.
    static func ofDrawing(vertices: Int, within run: WorkBudget) -> WorkBudget {
        WorkBudget(20_000_000 + 100 * vertices, within: run)
    }

    /// The budget of drawing and of all rules together that compute with geometries.
    static func ofRun(vertices: Int) -> WorkBudget { WorkBudget(50_000_000 + 500 * vertices) }

    /// The cost of a vertex in the result of an overlay: it is computed, sorted, linked and copied.
    static let overlaidVertex = 100
    /// The cost of a vertex that is only copied or looked up.
    static let copiedVertex = 10
}

/// Why a computation was not finished.
package struct ComputationFailure: Error, CustomStringConvertible {
    package enum Kind: Sendable {
        /// GEOS reported an error: coordinates that it cannot process, or no memory.
        case library
        /// The geometry has so many crossing edges that GEOS is not called.
        case intricate
        /// The step costs more than what is left of the budget.
        case exhausted
        /// The time limit was exceeded, or the run was interrupted.
        case stopped
    }

    package let kind: Kind
    package let description: String

    static let tooIntricate = ComputationFailure(kind: .intricate, description: "too many edges cross each other")
    static let exhausted = ComputationFailure(kind: .exhausted, description: "the budget is used up")
    static let stopped = ComputationFailure(kind: .stopped, description: "the run was stopped")
}
