import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// What a revision records of a venue beside its features: the venue feature, the language and the country.
struct VenueMetadata {
    private(set) var venueFeature: FeatureID?
    private(set) var language: String?
    private(set) var country: String?

    init(of state: VenueState, manifest: JSONObject?) {
        self.language = Self.code(manifest?["language"])
        guard let venue = state.features.first(where: { $0.feature.type == .venue })?.feature else { return }
        self.venueFeature = venue.id
        let address = venue.references.first { $0.role == .address }?.target
        let feature = state.features.first { $0.feature.id == address }?.feature
        let properties = feature.flatMap { try? JSONReader.value(of: $0.body) }?["properties"]
        self.country = Self.code(properties?["country"])
    }

    /// A language or country code that can be stored and sent with every response: PostgreSQL accepts no NUL, and no valid code is
    /// longer than the limit.
    private static func code(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.utf8.contains(0) || $0.utf8.count > RevisionStore.codeBytes ? nil : $0 }
    }
}
