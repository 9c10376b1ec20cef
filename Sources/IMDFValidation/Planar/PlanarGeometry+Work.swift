internal import CGEOS

/// Charges the budget for the worst case of an operation before it is performed. Without a budget, costs are not computed.
///
/// For few vertices the cost is their product. For more, the pairs of edges are counted that are close enough to cross.
extension PlanarGeometry {
    /// Up to this number of vertices in each geometry, counting is not worthwhile.
    private static let fewVertices = 512
    /// The limit of pairs of edges of two geometries: an overlay takes memory for each crossing.
    static let mostCrossings = 500_000
    /// The limit of pairs of edges within one geometry.
    static let mostOwnPairs = 4_000_000

    /// An upper bound of the pairs of edges of this geometry whose boxes intersect.
    func countOwnPairs() -> Int {
        self.vertexCount <= 256
            ? self.vertexCount * self.vertexCount / 8 : self.edges.closePairs(limit: Self.mostOwnPairs)
    }

    /// The number of comparisons of every ring with every other one.
    var ringPairs: Int { WorkBudget.product(self.ringCount, self.ringCount, per: 1) }

    /// Charges for the pairs of edges of two geometries that are close to each other.
    ///
    /// - Parameter times: the cost of a pair of edges, relative to that of a pair of boxes.
    private func spendOnCrossing(_ other: PlanarGeometry, times: Int) throws(ComputationFailure) {
        guard max(self.vertexCount, other.vertexCount) > Self.fewVertices else {
            let pairs = self.vertexCount * other.vertexCount / 8
            return try self.geos.spend((20 + self.vertexCount + other.vertexCount + pairs) * times)
        }
        let (large, small) = self.vertexCount < other.vertexCount ? (other, self) : (self, other)
        let pairs = large.closePairs(with: small)
        // In floating point, because the number of layers has no bound.
        let cost = (Double(pairs) + Double(small.vertexCount) * large.edges.layers + 100) * Double(times)
        try self.geos.spend(Int(min(cost, 1e15)))
        guard pairs < Self.mostCrossings else { throw .tooIntricate }
    }

    /// Charges for relating two geometries: a ring that does not meet the other geometry is searched in all of it.
    func spendOnRelating(_ other: PlanarGeometry, times: Int = 4) throws(ComputationFailure) {
        guard self.geos.budget != nil else { return }
        guard other.vertexCount > 1 else { return try self.geos.spend(20 + self.vertexCount / 4) }
        try self.geos.spend(
            WorkBudget.product(self.ringCount - 1, other.vertexCount, per: 8)
                + WorkBudget.product(other.ringCount - 1, self.vertexCount, per: 8))
        try self.spendOnCrossing(other, times: times)
        guard self.vertexCount + other.vertexCount > 256 else { return }
        let chainPairs = self.chains.pairs + other.chains.pairs + self.chains.pairs(with: other.chains)
        try self.geos.spend(chainPairs / 8)
    }

    /// Charges for splitting the edges at their crossings and for building rings of them, which searches the shell of every
    /// hole.
    func spendOnOverlaying(_ other: PlanarGeometry) throws(ComputationFailure) {
        guard self.geos.budget != nil else { return }
        let rings = self.ringCount + other.ringCount
        try self.geos.spend(WorkBudget.product(rings, rings, per: 32) + self.ownPairs + other.ownPairs)
        try self.spendOnCrossing(other, times: 40)
    }

    /// Charges for searching the nearest points of two geometries.
    func spendOnDistance(_ other: PlanarGeometry) throws(ComputationFailure) {
        guard self.geos.budget != nil else { return }
        guard other.vertexCount > 1 else {
            return try self.geos.spend(3 * WorkBudget.copiedVertex + self.vertexCount / 4)
        }
        try self.geos.spend(WorkBudget.product(self.vertexCount, other.vertexCount, per: 64))
        try self.spendOnCrossing(other, times: 2)
    }

    /// Charges for checking whether rings cross or touch themselves or each other, and which rings contain which.
    func spendOnValidity() throws(ComputationFailure) {
        guard self.geos.budget != nil else { return }
        try self.geos.spend(
            WorkBudget.copiedVertex * self.vertexCount + self.ringPairs / 4
                + WorkBudget.product(self.ringCount - 1, self.vertexCount, per: 32))
        try self.geos.spend(self.ownPairs)
        guard self.ownPairs < Self.mostOwnPairs else { throw .tooIntricate }
    }

    /// Charges for moving the outline inwards: each remaining part is searched in all others.
    func spendOnShrinking() throws(ComputationFailure) {
        guard self.geos.budget != nil else { return }
        try self.geos.spend(
            WorkBudget.copiedVertex * self.vertexCount
                + WorkBudget.product(self.vertexCount, self.vertexCount, per: 64) + self.ringPairs / 8
                + 2 * self.ownPairs)
    }
}
