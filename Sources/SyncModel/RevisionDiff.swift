public import Foundation
public import IMDF

/// What differs between two revisions, feature by feature: `GET /venues/{venue}/diff`.
public struct RevisionDiff: Sendable, Codable {
    public struct Change: Sendable, Codable {
        public enum Kind: String, Sendable, Codable {
            case added, changed, removed
        }

        public var id: FeatureID
        public var type: FeatureType
        /// Where the feature is at `to`, or was when it is there no more; null is the venue-wide part.
        @OrNull public var level: FeatureID?
        public var kind: Kind
        /// What kind of change: geometry, position, name, category, hours, contact, reference, level, type, other.
        public var classes: [String]
        @OrNull public var before: JSONValue?
        @OrNull public var after: JSONValue?

        enum CodingKeys: String, CodingKey {
            case id, kind, classes, before, after
            case type = "feature_type"
            case level = "level_id"
        }

        public init(
            id: FeatureID, type: FeatureType, level: FeatureID?, kind: Kind, classes: [String], before: JSONValue?,
            after: JSONValue?
        ) {
            self.id = id
            self.type = type
            self.level = level
            self.kind = kind
            self.classes = classes
            self.before = before
            self.after = after
        }
    }

    public var venue: VenueKey
    public var from: Int64
    @OrNull public var to: Int64?
    public var words: [String]
    public var changes: [Change]
    /// The address of the next page.
    @OrNull public var next: String?

    public init(venue: VenueKey, from: Int64, to: Int64?, words: [String], changes: [Change], next: String?) {
        self.venue = venue
        self.from = from
        self.to = to
        self.words = words
        self.changes = changes
        self.next = next
    }
}

/// One version of a feature: `GET /venues/{venue}/features/{id}/history`.
public struct HistoryEntry: Sendable, Codable {
    /// The first revision in which it holds.
    public var from: Int64
    /// The last one; null while it is current.
    @OrNull public var to: Int64?
    @OrNull public var level: FeatureID?
    /// Null when the revision that began it was pruned.
    @OrNull public var author: String?
    @OrNull public var message: String?
    @OrNull public var publishedAt: Date?
    public var classes: [String]
    public var body: JSONValue

    enum CodingKeys: String, CodingKey {
        case from, to, author, message, classes, body
        case level = "level_id"
        case publishedAt = "published_at"
    }

    public init(
        from: Int64, to: Int64?, level: FeatureID?, author: String?, message: String?, publishedAt: Date?,
        classes: [String],
        body: JSONValue
    ) {
        self.from = from
        self.to = to
        self.level = level
        self.author = author
        self.message = message
        self.publishedAt = publishedAt
        self.classes = classes
        self.body = body
    }
}
