import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// What a reader has to know of a venue beside its features: in what language it is written and in which country it stands.
struct VenueAbout {
    private(set) var venueFeature: FeatureID?
    private(set) var language: String?
    private(set) var country: String?

    init(of state: VenueState, manifest: JSONObject?) {
        self.language = Self.word(manifest?["language"])
        guard let venue = state.candidates.first(where: { $0.feature.type == .venue })?.feature else { return }
        self.venueFeature = venue.id
        let address = venue.references.first { $0.role == .address }?.target
        let feature = state.candidates.first { $0.feature.id == address }?.feature
        let properties = feature.flatMap { try? JSONReader.value(of: $0.body) }?["properties"]
        self.country = Self.word(properties?["country"])
    }

    /// A text that can be stored and sent with every answer: PostgreSQL takes no NUL, no language and no country has one, and
    /// none is longer.
    private static func word(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.utf8.contains(0) || $0.utf8.count > RevisionStore.codeBytes ? nil : $0 }
    }
}
