import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore

/// The features of a revision that a strict decoder accepts. Always computed over the whole revision, because a feature is rejected
/// with those that it refers to.
struct StrictSelection {
    /// The header field with the number of features that were left out of a response.
    static let leftOut = HTTPField.Name("VenueSync-Left-Out")!

    private let survivors: Set<FeatureID>

    init(of venue: VenueRecord, at number: Int64, in store: RevisionStore) async throws {
        var profile = StrictProfile()
        for batch in try await store.versions(of: venue, at: number).batches(of: 8 << 20) {
            for (version, body) in zip(batch, try await store.bodies(of: batch, in: venue)) {
                profile.add(id: version.feature, type: version.type, body: try JSONReader.value(of: body))
            }
        }
        self.survivors = profile.outcome().survivors
    }

    func keeps(_ feature: FeatureID) -> Bool { self.survivors.contains(feature) }
}
