import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// What a revision records of a venue beside its features: the venue feature, the language and the country; and what a time zone is
/// proposed from.
struct VenueMetadata {
    private(set) var venueFeature: FeatureID?
    private(set) var language: String?
    private(set) var country: String?
    /// ISO 3166-2.
    private(set) var province: String?
    /// The display point of the venue, or the middle of its geometry.
    private(set) var position: GeoJSONGeometry.Position?

    init(of state: VenueState, manifest: JSONObject?) {
        self.language = Self.code(manifest?["language"])
        guard let venue = state.features.first(where: { $0.feature.type == .venue })?.feature else { return }
        self.venueFeature = venue.id
        let address = venue.references.first { $0.role == .address }?.target
        let feature = state.features.first { $0.feature.id == address }?.feature
        self.country = feature.flatMap { Self.code("country", in: $0.body) }
        self.province = feature.flatMap { Self.code("province", in: $0.body) }
        let body = try? JSONReader.value(of: venue.body)
        self.position = Self.middle(of: body?["properties"]?["display_point"]) ?? Self.middle(of: body?["geometry"])
    }

    /// The country of an address.
    static func country(in body: [UInt8]) -> String? { Self.code("country", in: body) }

    private static func code(_ property: String, in body: [UInt8]) -> String? {
        Self.code((try? JSONReader.value(of: body))?["properties"]?[property])
    }

    /// The middle of the bounding box of a geometry; nil for anything that is not one on the globe.
    private static func middle(of value: JSONValue?) -> GeoJSONGeometry.Position? {
        guard let geometry = value.flatMap(GeoJSONGeometry.init(strict:)), let paths = geometry.paths.first else {
            return nil
        }
        let first = geometry.position(at: paths.lowerBound)
        var (low, high) = (first, first)
        for position in geometry.paths.joined().lazy.map(geometry.position(at:)) {
            low.longitude = min(low.longitude, position.longitude)
            low.latitude = min(low.latitude, position.latitude)
            high.longitude = max(high.longitude, position.longitude)
            high.latitude = max(high.latitude, position.latitude)
        }
        return .init(
            longitude: (low.longitude + high.longitude) / 2, latitude: (low.latitude + high.latitude) / 2)
    }

    /// A language or country code that can be stored and sent with every response: PostgreSQL accepts no NUL, and no valid code is
    /// longer than the limit.
    private static func code(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.utf8.contains(0) || $0.utf8.count > RevisionStore.codeBytes ? nil : $0 }
    }
}
