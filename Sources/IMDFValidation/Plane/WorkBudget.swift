/// How much work may still be done, in tenths of a microsecond or so.
///
/// Work is counted, not timed, so that the same archive makes the same report on every machine: what goes into an operation of
/// GEOS and what comes out of it, since an intersection of two small areas may be large.
final class WorkBudget {
    private(set) var remaining: Int
    /// Of the whole run.
    private let shared: WorkBudget?

    init(_ remaining: Int, within shared: WorkBudget? = nil) {
        self.remaining = remaining
        self.shared = shared
    }

    /// The budget of one rule. It grows with the archive and is far more than any real one needs.
    static func ofRule(vertices: Int, within run: WorkBudget) -> WorkBudget {
        WorkBudget(25_000_000 + 150 * vertices, within: run)
    }

    /// The budget of drawing: of finding out which geometries are valid.
    static func ofDrawing(vertices: Int, within run: WorkBudget) -> WorkBudget {
        WorkBudget(20_000_000 + 100 * vertices, within: run)
    }

    /// The budget of all rules together, and of drawing.
    static func ofRun(vertices: Int) -> WorkBudget { WorkBudget(50_000_000 + 500 * vertices) }

    /// Takes what a step costs from what is left.
    func spend(_ cost: Int) throws(Plane.Failure) {
        guard cost <= self.remaining else { throw .exhausted }
        try self.shared?.spend(cost)
        self.remaining -= cost
    }

    /// Takes what turned out to be done. It is gone also when it is more than was left, so that no rule works on credit.
    func settle(_ cost: Int) throws(Plane.Failure) {
        let isCovered = cost <= self.remaining
        self.remaining = max(self.remaining - cost, 0)
        try self.shared?.settle(cost)
        guard isCovered else { throw .exhausted }
    }

    /// What a vertex costs that an overlay puts out: it was found, sorted, linked and copied.
    static let overlaidVertex = 100
    /// What a vertex costs that is only copied or looked up.
    static let copiedVertex = 10

    /// A product of counts that may be too large for an integer.
    static func product(_ one: Int, _ other: Int, per divisor: Int) -> Int {
        Int(min(Double(one) * Double(other) / Double(divisor), 1e15))
    }
}
