internal import CGEOS

/// What operations cost at worst, which is paid before they are done. Where nobody counts, nothing is worked out.
///
/// Few vertices are charged by their product; of more it is counted which edges lie close enough to cross.
extension PlaneGeometry {
    /// Up to so many vertices each, counting costs more than it tells.
    private static let fewVertices = 512
    /// Pairs of edges of two geometries that may be compared at one go: each crossing takes memory when areas are put together.
    static let mostCrossings = 500_000
    /// Pairs of edges within one geometry.
    static let mostOwnPairs = 4_000_000

    /// How many pairs of its own edges lie close to each other, or more.
    func countOwnPairs() -> Int {
        self.vertexCount <= 256
            ? self.vertexCount * self.vertexCount / 8 : self.edges.closePairs(limit: Self.mostOwnPairs)
    }

    /// What is looked at when every ring is compared with every other one.
    var ringPairs: Int { WorkBudget.product(self.ringCount, self.ringCount, per: 1) }

    /// Pays for what is to be found out about the edges of two geometries that lie close to each other.
    ///
    /// - Parameter times: what a pair costs, in pairs of boxes.
    private func spendOnCrossing(_ other: PlaneGeometry, times: Int) throws(Plane.Failure) {
        guard max(self.vertexCount, other.vertexCount) > Self.fewVertices else {
            let pairs = self.vertexCount * other.vertexCount / 8
            return try self.plane.spend((20 + self.vertexCount + other.vertexCount + pairs) * times)
        }
        let (large, small) = self.vertexCount < other.vertexCount ? (other, self) : (self, other)
        let pairs = large.closePairs(with: small)
        // In floating point, because an outline may have any number of layers.
        let cost = (Double(pairs) + Double(small.vertexCount) * large.edges.layers + 100) * Double(times)
        try self.plane.spend(Int(min(cost, 1e15)))
        guard pairs < Self.mostCrossings else { throw .tooIntricate }
    }

    /// Pays for relating the two: where rings do not meet, each is looked for in all of the other geometry.
    func spendOnRelating(_ other: PlaneGeometry, times: Int = 4) throws(Plane.Failure) {
        guard self.plane.budget != nil else { return }
        guard other.vertexCount > 1 else { return try self.plane.spend(20 + self.vertexCount / 4) }
        try self.plane.spend(
            WorkBudget.product(self.ringCount - 1, other.vertexCount, per: 8)
                + WorkBudget.product(other.ringCount - 1, self.vertexCount, per: 8))
        try self.spendOnCrossing(other, times: times)
        guard self.vertexCount + other.vertexCount > 256 else { return }
        let chainPairs = self.chains.pairs + other.chains.pairs + self.chains.pairs(with: other.chains)
        try self.plane.spend(chainPairs / 8)
    }

    /// Pays for cutting the edges of the two where they cross and putting the pieces together to rings, which looks for the
    /// shell of every hole.
    func spendOnOverlaying(_ other: PlaneGeometry) throws(Plane.Failure) {
        guard self.plane.budget != nil else { return }
        let rings = self.ringCount + other.ringCount
        try self.plane.spend(WorkBudget.product(rings, rings, per: 32) + self.ownPairs + other.ownPairs)
        try self.spendOnCrossing(other, times: 40)
    }

    /// Pays for the search for the nearest points of the two.
    func spendOnDistance(_ other: PlaneGeometry) throws(Plane.Failure) {
        guard self.plane.budget != nil else { return }
        guard other.vertexCount > 1 else {
            return try self.plane.spend(3 * WorkBudget.copiedVertex + self.vertexCount / 4)
        }
        try self.plane.spend(WorkBudget.product(self.vertexCount, other.vertexCount, per: 64))
        try self.spendOnCrossing(other, times: 2)
    }

    /// Pays for looking whether rings cross or touch themselves and each other, and which lies in which.
    func spendOnValidity() throws(Plane.Failure) {
        guard self.plane.budget != nil else { return }
        try self.plane.spend(
            WorkBudget.copiedVertex * self.vertexCount + self.ringPairs / 4
                + WorkBudget.product(self.ringCount - 1, self.vertexCount, per: 32))
        try self.plane.spend(self.ownPairs)
        guard self.ownPairs < Self.mostOwnPairs else { throw .tooIntricate }
    }

    /// Pays for moving the outline inwards: each piece that is left is looked for in all others.
    func spendOnShrinking() throws(Plane.Failure) {
        guard self.plane.budget != nil else { return }
        try self.plane.spend(
            WorkBudget.copiedVertex * self.vertexCount
                + WorkBudget.product(self.vertexCount, self.vertexCount, per: 64) + self.ringPairs / 8
                + 2 * self.ownPairs)
    }
}
