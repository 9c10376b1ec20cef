import IMDF
package import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

/// A step of planning, for the progress that an upload reports.
package enum PlanningProgress: Sendable {
    case entered(Upload.Phase, total: Int)
    case advanced(by: Int)
}

/// Plans what an archive makes of a venue: identifies its features with the stored ones, puts them on their levels and compares
/// the result with a revision.
package struct ProposalPlanner: Sendable {
    let store: RevisionStore
    /// `repair` or `trust`; nil for the setting of the venue.
    let identityMode: Venue.Settings.Identity?
    let progress: @Sendable (PlanningProgress) -> Void

    /// Bodies that are fetched for comparison at a time.
    private static let batch = 2_000

    package init(
        store: RevisionStore, identityMode: Venue.Settings.Identity?,
        progress: @escaping @Sendable (PlanningProgress) -> Void
    ) {
        self.store = store
        self.identityMode = identityMode
        self.progress = progress
    }

    package func proposal(of archive: Archive, over base: ComparisonBase) async throws -> Proposal {
        let state = try await self.state(of: archive, over: base)
        try Task.checkCancellation()
        self.progress(.entered(.diffing, total: archive.features.count))
        return try await self.proposal(of: state, over: base)
    }

    package func proposal(of state: VenueState, over base: ComparisonBase) async throws -> Proposal {
        let difference = try await self.compare(state, with: base)
        return Proposal(
            base: base, state: state, difference: difference,
            identity: ArchiveIdentity(of: state, in: difference),
            storedBodies: try await self.storedBodies(of: difference, state: state, base: base),
            reachabilityFacts: try await self.reachabilityFacts(of: difference, state: state, base: base))
    }

    /// Compares the stored bodies of the features whose bytes differ, a batch at a time.
    private func compare(
        _ state: VenueState, with base: ComparisonBase
    ) async throws -> Difference {
        var comparison = Comparison(stored: base.features, features: state.features)
        let reader = JSONReader()
        for batch in comparison.neededBodies.batches(of: Self.batch) {
            var bodies: [StoredBody] = []
            try await self.store.bodies(of: batch, in: base.venue, at: base.number) { id, body in
                bodies.append(StoredBody(id: id, body: body))
            }
            try comparison.resolve(bodies) { try reader.value(of: $0) }
            self.progress(.advanced(by: batch.count))
        }
        return try comparison.difference()
    }

    /// The stored bodies of equivalent features, as far as they are needed: for versions that only change their level, and for the
    /// digests of the levels with changes.
    private func storedBodies(
        of difference: Difference, state: VenueState, base: ComparisonBase
    ) async throws -> [FeatureID: [UInt8]] {
        var bodies: [FeatureID: [UInt8]] = [:]
        for batch in state.equivalentFeatures(neededFor: difference, over: base).batches(of: Self.batch) {
            try await self.store.bodies(of: batch, in: base.venue, at: base.number) { bodies[$0] = $1 }
        }
        return bodies
    }
}

extension [FeatureID] {
    fileprivate func batches(of size: Int) -> [[FeatureID]] {
        stride(from: 0, to: self.count, by: size).map { Array(self[$0..<Swift.min($0 + size, self.count)]) }
    }
}
