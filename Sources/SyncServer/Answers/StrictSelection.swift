import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore

/// What of a revision a strict decoder can take: judged over the whole revision, whatever part of it is asked for.
struct StrictSelection {
    /// How many features were left out of an answer.
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
