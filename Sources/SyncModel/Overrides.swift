package import Foundation
package import IMDF

/// An override: `GET /venues/{venue}/overrides/{id}`.
package struct OverrideEntry: Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
        /// It replaces a value of a feature.
        case value
        /// It adds a feature.
        case added
        /// It hides a feature.
        case hidden
    }

    package enum State: String, Sendable, Codable, CaseIterable {
        case quiet, contested, orphaned
    }

    package var id: FeatureID
    package var feature: FeatureID
    package var type: FeatureType
    @OrNull package var level: FeatureID?
    /// The property `name` of the feature when the override was made.
    @OrNull package var name: JSONValue?
    package var kind: Kind
    /// An RFC 6901 pointer into the feature; empty for the whole feature.
    package var pointer: String
    package var state: State
    /// What the source said when the override was made; null for nothing.
    @OrNull package var base: JSONValue?
    /// What the override says.
    @OrNull package var value: JSONValue?
    /// What the source says now.
    @OrNull package var source: JSONValue?
    package var author: String
    @OrNull package var message: String?
    package var since: Date
    @OrNull package var until: Date?
    /// The overrides that hold again when this one ends by itself.
    package var covered: [OverrideEntry]

    enum CodingKeys: String, CodingKey {
        case id, feature, name, kind, pointer, state, base, value, source, author, message, since, until, covered
        case type = "feature_type"
        case level = "level_id"
    }

    package init(
        id: FeatureID, feature: FeatureID, type: FeatureType, level: FeatureID?, name: JSONValue?, kind: Kind,
        pointer: String, state: State, base: JSONValue?, value: JSONValue?, source: JSONValue?, author: String,
        message: String?, since: Date, until: Date?, covered: [OverrideEntry] = []
    ) {
        self.id = id
        self.feature = feature
        self.type = type
        self.level = level
        self.name = name
        self.kind = kind
        self.pointer = pointer
        self.state = state
        self.base = base
        self.value = value
        self.source = source
        self.author = author
        self.message = message
        self.since = since
        self.until = until
        self.covered = covered
    }
}

/// The response to an edit.
package struct EditResult: Sendable, Codable {
    package var venue: VenueKey
    /// The new revision, or the newest one if no feature changes; null for a dry run.
    @OrNull package var revision: Int64?
    /// The revision that was edited.
    package var base: Int64
    package var changes: ChangeSummary
    /// New and changed overrides: the first 1,000, with at most 1 MiB of values.
    package var overrides: [OverrideEntry]
    /// The ids of the other new and changed overrides; nil if there are none.
    package var omitted: [FeatureID]?
    /// Overrides that have ended.
    package var ended: [FeatureID]
    /// Features that were hidden because they refer to a hidden one.
    package var dependents: [FeatureID]
    /// What the rule book finds that it did not find before.
    package var findings: [Finding]

    package init(
        venue: VenueKey, revision: Int64?, base: Int64, changes: ChangeSummary, overrides: [OverrideEntry],
        ended: [FeatureID], dependents: [FeatureID], findings: [Finding]
    ) {
        self.venue = venue
        self.revision = revision
        self.base = base
        self.changes = changes
        self.overrides = overrides
        self.ended = ended
        self.dependents = dependents
        self.findings = findings
    }

    /// Whether there is a new revision.
    package var isPublished: Bool { self.revision.map { $0 > self.base } ?? false }
}
