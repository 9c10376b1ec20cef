public import IMDF

/// What the server says of a venue without sending its features: enough for a list of venues and for a level picker.
public struct VenueSummary: Hashable, Sendable {
    /// A level of the newest revision.
    public struct Level: Hashable, Sendable {
        public let id: FeatureID
        /// Nil if the level feature has none.
        public let ordinal: Int?
        public let name: Labels?
        public let shortName: Labels?
        /// The number of features on the level.
        public let features: Int
        /// The total size of their bodies in bytes, uncompressed.
        public let bytes: Int64
    }

    public let venue: VenueKey
    public let name: Labels?
    /// The newest revision.
    public let revision: Int64
    public let about: ChangeSet.About
    /// Whether the venue is read without a key.
    public let isPublic: Bool
    /// At most 1,000 levels, by id.
    public let levels: [Level]
    /// The number of levels, listed or not.
    public let levelCount: Int
    /// The number of features of the venue-wide part, which is downloaded with every level.
    public let venueWideFeatures: Int
    /// The total size of their bodies in bytes, uncompressed.
    public let venueWideBytes: Int64

    /// The levels by floor, the highest first. Buildings are not known, and no level is known to be outdoors.
    public let floors: [VenueGraph.Floor]
}

extension VenueSummary {
    package init(_ venue: Venue) {
        self.venue = venue.venue
        self.name = Labels(venue.name)
        self.revision = venue.head
        self.about = venue.about
        self.isPublic = venue.public
        self.levels = venue.levels.compactMap { level in
            guard let id = level.level else { return nil }
            return Level(
                id: id, ordinal: level.ordinal, name: Labels(level.name), shortName: Labels(level.shortName),
                features: level.features, bytes: level.bytes)
        }
        self.levelCount = max(venue.levelCount ?? 0, self.levels.count)
        let venueWide = venue.levels.first { $0.level == nil }
        self.venueWideFeatures = venueWide?.features ?? 0
        self.venueWideBytes = venueWide?.bytes ?? 0
        self.floors =
            VenueGraph(
                venue.levels.compactMap { level in
                    level.level.map { ($0, .level, level.feature, Placement(level: nil)) }
                }
            ).floors
    }
}

extension Venue.Level {
    /// The level feature, as far as it is known.
    fileprivate var feature: JSONValue {
        [
            "properties": [
                "name": self.name ?? .null, "short_name": self.shortName ?? .null,
                "ordinal": self.ordinal.map { .number(Double($0)) } ?? .null,
            ]
        ]
    }
}
