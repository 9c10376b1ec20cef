public import IMDF

/// An end of a route.
public enum Place: Hashable, Sendable {
    case feature(FeatureID)
    /// A position on the levels of an ordinal, in degrees.
    case position(longitude: Double, latitude: Double, ordinal: Int)
}

/// A question for the way.
public struct RouteQuery: Hashable, Sendable {
    public var from: Place
    public var to: Place
    public var profile: Profile
    /// What is shut, with the time at which that ends if it is known: units, openings, relationships, levels, and amenities of lifts,
    /// stairs and escalators.
    public var closed: [FeatureID: String?]
    /// The languages of the instructions, the preferred one first. Sentences are Japanese if that is the first one, otherwise English.
    public var languages: [String]

    public init(
        from: Place, to: Place, profile: Profile = .walk, closed: [FeatureID: String?] = [:],
        languages: [String] = ["en"]
    ) {
        self.from = from
        self.to = to
        self.profile = profile
        self.closed = closed
        self.languages = languages
    }
}
