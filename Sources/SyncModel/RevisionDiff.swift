package import Foundation
package import IMDF

/// The features that differ between two revisions: `GET /venues/{venue}/diff`.
package struct RevisionDiff: Sendable, Codable {
    package struct Change: Sendable, Codable {
        package enum Kind: String, Sendable, Codable {
            case added, changed, removed
        }

        package var id: FeatureID
        package var type: FeatureType
        /// The level of the feature at `to`, or at `from` if it was removed; null for the venue-wide part.
        @OrNull package var level: FeatureID?
        package var kind: Kind
        /// The kinds of change: geometry, position, name, category, hours, contact, reference, level, type, other.
        package var classes: [String]
        @OrNull package var before: JSONValue?
        @OrNull package var after: JSONValue?
        /// The parts of the feature at `to` that edits made, and not the archive.
        package var overrides: [HistoryEntry.Origin]

        enum CodingKeys: String, CodingKey {
            case id, kind, classes, before, after, overrides
            case type = "feature_type"
            case level = "level_id"
        }

        package init(
            id: FeatureID, type: FeatureType, level: FeatureID?, kind: Kind, classes: [String], before: JSONValue?,
            after: JSONValue?, overrides: [HistoryEntry.Origin] = []
        ) {
            self.id = id
            self.type = type
            self.level = level
            self.kind = kind
            self.classes = classes
            self.before = before
            self.after = after
            self.overrides = overrides
        }
    }

    package var venue: VenueKey
    package var from: Int64
    @OrNull package var to: Int64?
    package var words: [String]
    package var changes: [Change]
    /// Of a staged upload: the first overrides that it newly contests; on the first page only.
    package var overrides: [OverrideEntry]?
    /// The address of the next page.
    @OrNull package var next: String?
}

/// One version of a feature: `GET /venues/{venue}/features/{id}/history`.
package struct HistoryEntry: Sendable, Codable {
    /// The first revision with this version.
    package var from: Int64
    /// The last revision with this version; null if it is the current one.
    @OrNull package var to: Int64?
    @OrNull package var level: FeatureID?
    /// Null if the revision `from` was pruned; like the message also for those who may not publish.
    @OrNull package var author: String?
    @OrNull package var message: String?
    @OrNull package var publishedAt: Date?
    package var classes: [String]
    /// The parts of the body that edits made, and not the archive.
    package var overrides: [Origin]
    package var body: JSONValue

    /// An override that holds in a version of a feature.
    package struct Origin: Sendable, Codable, Hashable {
        /// An RFC 6901 pointer into the feature; empty for the whole feature.
        package var pointer: String
        package var override: FeatureID
        /// Null, like the message, for those who may not publish.
        @OrNull package var author: String?
        @OrNull package var message: String?

        package init(pointer: String, override: FeatureID, author: String?, message: String?) {
            self.pointer = pointer
            self.override = override
            self.author = author
            self.message = message
        }
    }

    enum CodingKeys: String, CodingKey {
        case from, to, author, message, classes, overrides, body
        case level = "level_id"
        case publishedAt = "published_at"
    }

    package init(
        from: Int64, to: Int64?, level: FeatureID?, author: String?, message: String?, publishedAt: Date?,
        classes: [String], overrides: [Origin] = [], body: JSONValue
    ) {
        self.from = from
        self.to = to
        self.level = level
        self.author = author
        self.message = message
        self.publishedAt = publishedAt
        self.classes = classes
        self.overrides = overrides
        self.body = body
    }
}
