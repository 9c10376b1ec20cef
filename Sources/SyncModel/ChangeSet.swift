public import IMDF

/// What turns one revision of a venue into another, or a page of it: the answer of `GET /venues/{venue}/sync`.
///
/// To apply it, join all pages; then in one transaction
/// 1. for `snapshot` and `gone` blocks forget what the replica holds under that level;
/// 2. put every feature of every block by its id, under its block's level;
/// 3. delete a removed id only if the replica still holds it under that block's level;
/// 4. verify the digests;
/// 5. store the cursor.
public struct ChangeSet: Hashable, Sendable {
    /// What a reader cannot tell from the features: in what language and time zone they speak.
    public struct About: Hashable, Sendable, Codable {
        @OrNull public var language: String?
        @OrNull public var timeZone: String?
        @OrNull public var country: String?

        enum CodingKeys: String, CodingKey {
            case language, country
            case timeZone = "time_zone"
        }

        public init(language: String?, timeZone: String?, country: String?) {
            self.language = language
            self.timeZone = timeZone
            self.country = country
        }
    }

    public enum Kind: String, Hashable, Sendable, Codable {
        /// The replica holds the level at `from`.
        case changes
        /// Everything of the level at `to`.
        case snapshot
        /// The level is no longer wanted, or is a level no more.
        case gone
    }

    /// A feature that has left its block's level.
    public struct Removal: Hashable, Sendable, Codable {
        public enum Reason: String, Hashable, Sendable, Codable {
            case deleted, moved
        }

        public var id: FeatureID
        public var type: FeatureType
        public var reason: Reason
        /// For `moved`: the new level, null for the venue-wide part.
        public var movedTo: FeatureID?

        enum CodingKeys: String, CodingKey {
            case id, reason
            case type = "feature_type"
            case movedTo = "moved_to"
        }

        public init(id: FeatureID, type: FeatureType, reason: Reason, movedTo: FeatureID?) {
            self.id = id
            self.type = type
            self.reason = reason
            self.movedTo = movedTo
        }

        /// `moved_to` stands there, if only as null, exactly when the feature moved.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.id, forKey: .id)
            try container.encode(self.type, forKey: .type)
            try container.encode(self.reason, forKey: .reason)
            if self.reason == .moved { try container.encode(self.movedTo, forKey: .movedTo) }
        }
    }

    /// One level's share, or the part of it that is on this page; `level` nil is the venue-wide part.
    public struct Block: Hashable, Sendable {
        public var level: FeatureID?
        public var ordinal: Int?
        public var kind: Kind
        /// The block goes on from the page before.
        public var isContinued: Bool
        /// Of the level at `to`; nil for `gone` and for a block that goes on on the next page.
        public var digest: Digest?
        /// Canonical bodies.
        public var features: [[UInt8]]
        public var removed: [Removal]

        public init(
            level: FeatureID?, ordinal: Int?, kind: Kind, isContinued: Bool = false, digest: Digest?,
            features: [[UInt8]] = [], removed: [Removal] = []
        ) {
            self.level = level
            self.ordinal = ordinal
            self.kind = kind
            self.isContinued = isContinued
            self.digest = digest
            self.features = features
            self.removed = removed
        }
    }

    public static let currentProtocol = 1

    public var venue: VenueKey
    /// Nil when the client holds nothing.
    public var from: Int64?
    public var to: Int64
    /// Of revision `to`.
    public var digest: Digest
    public var about: About
    /// Whether this is the last page. Only then is the cursor worth storing.
    public var isComplete: Bool
    public var cursor: Cursor
    public var blocks: [Block]

    public init(
        venue: VenueKey, from: Int64?, to: Int64, digest: Digest, about: About, isComplete: Bool, cursor: Cursor,
        blocks: [Block]
    ) {
        self.venue = venue
        self.from = from
        self.to = to
        self.digest = digest
        self.about = about
        self.isComplete = isComplete
        self.cursor = cursor
        self.blocks = blocks
    }
}
