import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore

/// The features of a revision that a strict decoder accepts, in their strict form. Always computed over the whole revision, because
/// a feature is rejected with those that it refers to.
struct StrictSelection {
    /// The header field with the number of features that were left out of a response.
    static let leftOut = HTTPField.Name("VenueSync-Left-Out")!

    private let survivors: Set<FeatureID>
    /// The lengths in bytes of the strict bodies that differ from the stored ones.
    private let repairedLengths: [FeatureID: Int]

    /// Whether some strict bodies differ from the stored ones.
    var hasRepairs: Bool { !self.repairedLengths.isEmpty }

    init(of venue: VenueRecord, at number: Int64, in store: RevisionStore) async throws {
        try await self.init(store.featureIndex(of: venue, at: number), of: venue, in: store)
    }

    /// - Parameter index: All features of a revision.
    init(_ index: FeatureIndex, of venue: VenueRecord, in store: RevisionStore) async throws {
        var profile = StrictProfile()
        var lengths: [FeatureID: Int] = [:]
        for batch in index.batches(of: 1 << 20) {
            for (version, body) in zip(batch, try await store.bodies(of: batch, in: venue)) {
                let value = try JSONReader.value(of: body)
                if let repaired = profile.add(id: version.feature, type: version.type, body: value) {
                    lengths[version.feature] = CanonicalJSON.data(repaired).count
                }
            }
        }
        self.survivors = profile.outcome().survivors
        self.repairedLengths = lengths
    }

    /// The accepted ones of some features, with the lengths of their strict bodies.
    func versions(of versions: [VersionSummary]) -> (kept: [VersionSummary], leftOut: Int) {
        let kept = versions.filter { self.survivors.contains($0.feature) }.map { version in
            self.repairedLengths[version.feature].map { version.withBody(of: $0) } ?? version
        }
        return (kept, versions.count - kept.count)
    }

    /// Removes the features that are not accepted.
    func apply(to index: inout FeatureIndex) {
        index.select { feature, bytes in
            self.survivors.contains(feature) ? self.repairedLengths[feature] ?? bytes : nil
        }
    }
}

extension VersionSummary {
    /// The strict body of a feature of this version, from the stored one.
    func strictBody(_ body: [UInt8]) throws -> [UInt8] {
        try StrictProfile.strictBody(of: self.type, JSONReader.value(of: body)).map { CanonicalJSON.data($0) } ?? body
    }
}
