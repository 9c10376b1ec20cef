package import Foundation
public import IMDF

/// The difference between two revisions of a venue, or a page of it: the response of `GET /venues/{venue}/sync`.
///
/// To apply it, join all pages; then in one transaction
/// 1. for `snapshot` and `gone` blocks delete what the replica holds of that level;
/// 2. put every feature of every block by its id, under its block's level;
/// 3. delete a removed id only if the replica still holds it under that block's level;
/// 4. verify the digests;
/// 5. store the cursor.
public struct ChangeSet: Hashable, Sendable {
    /// The language, time zone, country and travel times of the venue, which the features do not contain.
    public struct About: Hashable, Sendable, Codable {
        @OrNull public var language: String?
        @OrNull public var timeZone: String?
        @OrNull public var country: String?
        /// How fast people walk and how long lifts take, as an operator set it; absent if nothing was set.
        public var wayfinding: JSONValue?

        enum CodingKeys: String, CodingKey {
            case language, country, wayfinding
            case timeZone = "time_zone"
        }

        public init(language: String?, timeZone: String?, country: String?, wayfinding: JSONValue? = nil) {
            self.language = language
            self.timeZone = timeZone
            self.country = country
            self.wayfinding = wayfinding
        }
    }

    package enum Kind: String, Hashable, Sendable, Codable {
        /// The replica holds the level at `from`.
        case changes
        /// All features of the level at `to`.
        case snapshot
        /// The level is no longer requested, or no longer exists.
        case gone
    }

    /// A feature that has left its block's level.
    package struct Removal: Hashable, Sendable, Codable {
        package enum Reason: String, Hashable, Sendable, Codable {
            case deleted, moved
        }

        package var id: FeatureID
        package var type: FeatureType
        package var reason: Reason
        /// For `moved`: the new level, null for the venue-wide part.
        package var movedTo: FeatureID?

        enum CodingKeys: String, CodingKey {
            case id, reason
            case type = "feature_type"
            case movedTo = "moved_to"
        }

        package init(id: FeatureID, type: FeatureType, reason: Reason, movedTo: FeatureID?) {
            self.id = id
            self.type = type
            self.reason = reason
            self.movedTo = movedTo
        }

        /// Writes `moved_to`, perhaps as null, only if the feature moved.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.id, forKey: .id)
            try container.encode(self.type, forKey: .type)
            try container.encode(self.reason, forKey: .reason)
            if self.reason == .moved { try container.encode(self.movedTo, forKey: .movedTo) }
        }
    }

    /// The changes of one level, or the part of them that is on this page; `level` is nil for the venue-wide part.
    package struct Block: Hashable, Sendable {
        package var level: FeatureID?
        package var ordinal: Int?
        package var kind: Kind
        /// Whether the block continues one of the previous page.
        package var isContinued: Bool
        /// The digest of the level at `to`; nil for `gone` and if the block continues on the next page.
        package var digest: Digest?
        /// Canonical bodies.
        package var features: [[UInt8]]
        package var removed: [Removal]

        package init(
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

    package static let currentProtocol = 1

    package var venue: VenueKey
    /// Nil for a full snapshot.
    package var from: Int64?
    package var to: Int64
    /// The digest of revision `to`.
    package var digest: Digest
    /// When revision `to` was published; nil if the document does not say. It takes part in no digest and no cursor.
    package var publishedAt: Date?
    package var about: About
    /// Whether this is the last page. Only its cursor is stored.
    package var isComplete: Bool
    package var cursor: Cursor
    package var blocks: [Block]

    package init(
        venue: VenueKey, from: Int64?, to: Int64, digest: Digest, publishedAt: Date? = nil, about: About,
        isComplete: Bool, cursor: Cursor, blocks: [Block]
    ) {
        self.venue = venue
        self.from = from
        self.to = to
        self.digest = digest
        self.publishedAt = publishedAt
        self.about = about
        self.isComplete = isComplete
        self.cursor = cursor
        self.blocks = blocks
    }
}
