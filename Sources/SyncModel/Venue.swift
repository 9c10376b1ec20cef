package import Foundation
package import IMDF

/// A venue: `GET /venues/{venue}`.
package struct Venue: Sendable, Codable {
    /// A level, or the venue-wide part, which has no id and comes first.
    package struct Level: Sendable, Codable {
        @OrNull package var level: FeatureID?
        @OrNull package var ordinal: Int?
        @OrNull package var shortName: JSONValue?
        @OrNull package var name: JSONValue?
        package var digest: Digest
        package var features: Int
        package var bytes: Int64

        enum CodingKeys: String, CodingKey {
            case ordinal, name, digest, features, bytes
            case level = "level_id"
            case shortName = "short_name"
        }

        package init(
            level: FeatureID?, ordinal: Int?, shortName: JSONValue?, name: JSONValue?, digest: Digest, features: Int,
            bytes: Int64
        ) {
            self.level = level
            self.ordinal = ordinal
            self.shortName = shortName
            self.name = name
            self.digest = digest
            self.features = features
            self.bytes = bytes
        }
    }

    /// The settings, which an admin can change.
    package struct Settings: Sendable, Codable, Hashable {
        package var `public`: Bool
        package var validation: Validation
        package var identity: Identity
        package var removalGuard: Bool
        @OrNull package var timeZone: String?
        @OrNull package var keepRevisions: Int?
        package var overrides: Overrides
        /// Colours and hidden categories of maps, the logo and the accent.
        @OrNull package var appearance: JSONValue?
        /// The web origins whose pages may show the map in a frame.
        @OrNull package var embedOrigins: [String]?
        /// The map of the surroundings that the console draws under the venue.
        @OrNull package var basemap: JSONValue?
        /// How fast people walk, and how long lifts take.
        @OrNull package var wayfinding: JSONValue?

        typealias CodingKeys = VenueSetting

        package init(
            public: Bool = false, validation: Validation = .report, identity: Identity = .repair,
            removalGuard: Bool = true,
            timeZone: String? = nil, keepRevisions: Int? = nil, overrides: Overrides = .keep,
            appearance: JSONValue? = nil, embedOrigins: [String]? = nil, basemap: JSONValue? = nil,
            wayfinding: JSONValue? = nil
        ) {
            self.public = `public`
            self.validation = validation
            self.identity = identity
            self.removalGuard = removalGuard
            self.timeZone = timeZone
            self.keepRevisions = keepRevisions
            self.overrides = overrides
            self.appearance = appearance
            self.embedOrigins = embedOrigins
            self.basemap = basemap
            self.wayfinding = wayfinding
        }
    }

    package var venue: VenueKey
    /// The IMDF venue feature's id.
    @OrNull package var id: FeatureID?
    package var head: Int64
    /// The oldest revision that is kept.
    package var first: Int64
    package var digest: Digest
    @OrNull package var name: JSONValue?
    package var about: ChangeSet.About
    /// Where the time zone in `about` comes from; nil if none was ever set or proposed.
    package var timeZoneSource: TimeZoneSource?
    package var `public`: Bool
    /// The venue-wide part and the first 1 000 levels by id.
    package var levels: [Level]
    /// The number of levels without the venue-wide part; nil if the document does not say.
    package var levelCount: Int?
    /// The setting, which every reader needs to draw the map; nil if the venue has none.
    package var appearance: JSONValue?
    /// The setting; nil if the venue has none.
    package var basemap: JSONValue?
    /// The path and the query of the page of the console that may load what the logo and the basemap need of other hosts; nil if they need
    /// nothing.
    package var page: String?
    /// Present for admins only.
    package var settings: Settings?

    enum CodingKeys: String, CodingKey {
        case venue, id, head, first, digest, name, about, `public`, levels, settings, appearance, basemap, page
        case timeZoneSource = "time_zone_source"
        case levelCount = "level_count"
    }

    package init(
        venue: VenueKey, id: FeatureID?, head: Int64, first: Int64, digest: Digest, name: JSONValue?,
        about: ChangeSet.About, timeZoneSource: TimeZoneSource? = nil, public: Bool, levels: [Level],
        levelCount: Int? = nil, appearance: JSONValue? = nil, basemap: JSONValue? = nil, page: String? = nil,
        settings: Settings?
    ) {
        self.venue = venue
        self.id = id
        self.head = head
        self.first = first
        self.digest = digest
        self.name = name
        self.about = about
        self.timeZoneSource = timeZoneSource
        self.public = `public`
        self.levels = levels
        self.levelCount = levelCount
        self.appearance = appearance
        self.basemap = basemap
        self.page = page
        self.settings = settings
    }
}

/// A revision: an element of `GET /venues/{venue}/revisions`.
package struct Revision: Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
        case upload, rollback, edit
    }

    package var number: Int64
    package var kind: Kind
    /// The revision that a rollback restored.
    @OrNull package var restores: Int64?
    /// The levels that a rollback restored; null for the whole venue, and for an upload.
    @OrNull package var levels: [FeatureID]?
    /// The name of the key; null, like the message, for those who may not publish.
    @OrNull package var author: String?
    @OrNull package var message: String?
    package var publishedAt: Date
    package var features: Int
    package var digest: Digest
    package var changes: ChangeSummary

    enum CodingKeys: String, CodingKey {
        case number, kind, restores, levels, author, message, features, digest, changes
        case publishedAt = "published_at"
    }

    package init(
        number: Int64, kind: Kind, restores: Int64?, levels: [FeatureID]? = nil, author: String?, message: String?,
        publishedAt: Date, features: Int, digest: Digest, changes: ChangeSummary
    ) {
        self.number = number
        self.kind = kind
        self.restores = restores
        self.levels = levels
        self.author = author
        self.message = message
        self.publishedAt = publishedAt
        self.features = features
        self.digest = digest
        self.changes = changes
    }
}
