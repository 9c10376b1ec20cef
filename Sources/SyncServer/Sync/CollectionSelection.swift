import HTTPTypes
import RevisionStore

/// Features of a revision that a collection has, without their bodies.
struct CollectionSelection: Sendable {
    let venue: VenueRecord
    let revision: Int64
    let filter: FeatureFilter
    /// Whether only what a strict decoder can take is kept.
    let isStrict: Bool
    let node: Node

    /// What is kept, and the header fields that say what was left out.
    func versions() async throws -> (kept: [VersionSummary], headers: HTTPFields) {
        let store = self.node.reader(of: self.venue, at: self.revision)
        var versions = try await store.versions(of: self.venue, at: self.revision, where: self.filter)
        var headers: HTTPFields = [.contentType: "application/geo+json"]
        if self.isStrict {
            let selection = try await StrictSelection(of: self.venue, at: self.revision, in: store)
            let asked = versions.count
            versions.removeAll { !selection.keeps($0.feature) }
            headers[StrictSelection.leftOut] = "\(asked - versions.count)"
        }
        return (versions, headers)
    }
}
