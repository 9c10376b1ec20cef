import HTTPTypes
import RevisionStore
import SyncModel

/// The features of a revision that belong to a collection, without their bodies.
struct CollectionSelection: Sendable {
    let venue: VenueRecord
    let revision: Int64
    let filter: FeatureFilter
    /// Whether features that a strict decoder rejects are left out.
    let isStrict: Bool
    let readModel: ReadModel
    let permits: FairSemaphore<VenueKey>

    struct Result: Sendable {
        var versions: [VersionSummary]
        /// Where the bodies are read.
        var source: ResponseChunk.Source
        /// Header fields, which report how many features were left out.
        var headers: HTTPFields
    }

    /// The selection, made off the event loop in the turn of the venue: reading the list of a large revision takes a while.
    ///
    /// - Parameter mayBeRefused: False for a response that has begun.
    func result(mayBeRefused: Bool = true) async throws -> Result {
        try await self.permits.withPermit(for: self.venue.key, mayBeRefused: mayBeRefused) {
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await self.select() }
        }
    }

    private func select() async throws -> Result {
        let store = self.readModel.reader(of: self.venue, at: self.revision)
        var result = Result(
            versions: try await store.versions(of: self.venue, at: self.revision, where: self.filter),
            source: ResponseChunk.Source(venue: self.venue, revision: self.revision),
            headers: [.contentType: "application/geo+json"])
        if self.isStrict {
            let selection = try await StrictSelection(of: self.venue, at: self.revision, in: store)
            let strict = selection.versions(of: result.versions)
            result.versions = strict.kept
            result.source.isStrict = selection.hasRepairs
            result.headers[StrictSelection.leftOut] = "\(strict.leftOut)"
        }
        return result
    }
}
