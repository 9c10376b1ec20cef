public import Foundation
public import IMDF

/// A venue as `GET /venues/{venue}` tells it.
public struct Venue: Sendable, Codable {
    /// One level, or the venue-wide part, which has no id and comes first.
    public struct Level: Sendable, Codable {
        @OrNull public var level: FeatureID?
        @OrNull public var ordinal: Int?
        @OrNull public var shortName: JSONValue?
        @OrNull public var name: JSONValue?
        public var digest: Digest
        public var features: Int
        public var bytes: Int64

        enum CodingKeys: String, CodingKey {
            case ordinal, name, digest, features, bytes
            case level = "level_id"
            case shortName = "short_name"
        }

        public init(
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

    /// What an admin may set.
    public struct Settings: Sendable, Codable, Hashable {
        public var `public`: Bool
        /// `report` or `strict`.
        public var validation: String
        /// `repair` or `trust`.
        public var identity: String
        public var removalGuard: Bool
        @OrNull public var timeZone: String?
        @OrNull public var keepRevisions: Int?

        typealias CodingKeys = VenueSetting

        public init(
            public: Bool = false, validation: String = "report", identity: String = "repair", removalGuard: Bool = true,
            timeZone: String? = nil, keepRevisions: Int? = nil
        ) {
            self.public = `public`
            self.validation = validation
            self.identity = identity
            self.removalGuard = removalGuard
            self.timeZone = timeZone
            self.keepRevisions = keepRevisions
        }
    }

    public var venue: VenueKey
    /// The IMDF venue feature's id.
    @OrNull public var id: FeatureID?
    public var head: Int64
    /// The oldest revision that is kept.
    public var first: Int64
    public var digest: Digest
    @OrNull public var name: JSONValue?
    public var about: ChangeSet.About
    public var `public`: Bool
    /// The venue-wide part and the first 1 000 levels by id.
    public var levels: [Level]
    /// How many levels the venue has, without the venue-wide part; nil from a server that does not tell.
    public var levelCount: Int?
    /// For admins only.
    public var settings: Settings?

    enum CodingKeys: String, CodingKey {
        case venue, id, head, first, digest, name, about, `public`, levels, settings
        case levelCount = "level_count"
    }

    public init(
        venue: VenueKey, id: FeatureID?, head: Int64, first: Int64, digest: Digest, name: JSONValue?,
        about: ChangeSet.About, public: Bool, levels: [Level], levelCount: Int? = nil, settings: Settings?
    ) {
        self.venue = venue
        self.id = id
        self.head = head
        self.first = first
        self.digest = digest
        self.name = name
        self.about = about
        self.public = `public`
        self.levels = levels
        self.levelCount = levelCount
        self.settings = settings
    }
}

/// A line of `GET /venues/{venue}/revisions`.
public struct Revision: Sendable, Codable {
    public enum Kind: String, Sendable, Codable {
        case upload, rollback
    }

    public var number: Int64
    public var kind: Kind
    /// The revision that a rollback brought back.
    @OrNull public var restores: Int64?
    /// The levels that a rollback took back; null when it was the whole venue, and of an upload.
    @OrNull public var levels: [FeatureID]?
    public var author: String
    @OrNull public var message: String?
    public var publishedAt: Date
    public var features: Int
    public var digest: Digest
    public var changes: ChangeSummary

    enum CodingKeys: String, CodingKey {
        case number, kind, restores, levels, author, message, features, digest, changes
        case publishedAt = "published_at"
    }

    public init(
        number: Int64, kind: Kind, restores: Int64?, levels: [FeatureID]? = nil, author: String, message: String?,
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
