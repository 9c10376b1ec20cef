import HTTPTypes
import RevisionStore

/// The features of a revision that belong to a collection, without their bodies.
struct CollectionSelection: Sendable {
    let venue: VenueRecord
    let revision: Int64
    let filter: FeatureFilter
    /// Whether features that a strict decoder rejects are left out.
    let isStrict: Bool
    let readModel: ReadModel

    struct Result {
        var versions: [VersionSummary]
        /// Where the bodies are read.
        var source: ResponseChunk.Source
        /// Header fields, which report how many features were left out.
        var headers: HTTPFields
    }

    func result() async throws -> Result {
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
