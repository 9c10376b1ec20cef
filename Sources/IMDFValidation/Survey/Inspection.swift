import IMDF

/// One rule at work on the plane: what it has to say, and what it may still cost.
///
/// Work is counted, not timed, so that the same archive makes the same report on every machine. The allowance grows with the
/// archive and is far more than any real one takes; only what is made to be slow ends it, and then the rule says so.
struct Inspection {
    var remarks: Remarks
    /// Features that GEOS could not judge.
    private(set) var failures = 0
    private(set) var isExhausted = false
    private var allowance: Int

    /// The rule has cost what it may.
    struct Exhausted: Error {}

    init(_ remarks: Remarks, vertices: Int) {
        self.remarks = remarks
        self.allowance = 100_000_000 + 200 * vertices
    }

    /// Does a piece of the work; when GEOS gives up on it, that is counted and the next piece is done.
    mutating func attempt(_ work: (inout Inspection) throws -> Void) {
        guard !self.isExhausted else { return }
        do {
            try work(&self)
        } catch is Exhausted {
            self.isExhausted = true
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
    mutating func spend(_ cost: Int) throws {
        guard cost <= self.allowance else { throw Exhausted() }
        self.allowance -= cost
    }

    /// Takes what it costs to ask one geometry about the other.
    ///
    /// - Parameter times: how much more the question costs than a prepared predicate.
    mutating func spend(on one: Parcel, _ other: Parcel, times: Int = 1) throws {
        let few = 512
        guard max(one.vertices, other.vertices) > few else {
            return try self.spend((20 + one.vertices + other.vertices + one.vertices * other.vertices / 8) * times)
        }
        // Whoever is large is searched for the edges of the other, which is what GEOS is about to do.
        let (large, small) = one.vertices < other.vertices ? (other, one) : (one, other)
        let limit = min(self.allowance / times + 1, Self.mostCrossings)
        let pairs = large.segments().closePairs(with: small.segments(), limit: limit)
        // In floating point, because an outline may have any number of layers.
        let cost = (Double(pairs) + Double(small.vertices) * large.layers + 100) * Double(times)
        try self.spend(Int(min(cost, 1e15)))
        guard pairs < Self.mostCrossings else { throw Plane.Failure.tooIntricate }
    }

    /// Edges that may cross at one go: each crossing takes memory when areas are put together.
    static let mostCrossings = 2_000_000
}
