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

    /// The features, and header fields that report how many were left out.
    func versions() async throws -> (kept: [VersionSummary], headers: HTTPFields) {
        let store = self.readModel.reader(of: self.venue, at: self.revision)
        var versions = try await store.versions(of: self.venue, at: self.revision, where: self.filter)
        var headers: HTTPFields = [.contentType: "application/geo+json"]
        if self.isStrict {
            let selection = try await StrictSelection(of: self.venue, at: self.revision, in: store)
            let count = versions.count
            versions.removeAll { !selection.keeps($0.feature) }
            headers[StrictSelection.leftOut] = "\(count - versions.count)"
        }
        return (versions, headers)
    }
}
