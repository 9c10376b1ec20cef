package import IMDF

/// A stored feature that an archive contains under another id; in the JSON form of `GET /uploads/{id}/matches`.
package struct IdentityMatch: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// The id was matched in an earlier upload.
        case alias
        /// The content is equal except for ids and references.
        case exact
        /// The content is similar. The reason and the score describe how.
        case near
    }

    /// The evidence for a match.
    package enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
        /// The id was matched in an earlier upload.
        case known
        /// The content is equal except for ids and references.
        case content
        /// The position is equal.
        case position = "place"
        /// The areas overlap mostly.
        case overlap
        /// The outline is equal, or a point has equal properties, a few meters away.
        case shifted
        /// The name is equal, near by or on the same level.
        case name
        /// The telephone number, website or correlation id is equal.
        case contact
        /// The same features refer to it, or it refers to the same features.
        case references
    }

    /// The stored id, which the feature keeps.
    package let id: FeatureID
    /// The id in the archive, which becomes an alias of the feature.
    package let archiveID: FeatureID
    package let type: FeatureType
    package let kind: Kind
    package let reason: Reason
    /// From 0 to 1; 1 unless the kind is `near`.
    package let score: Double

    enum CodingKeys: String, CodingKey {
        case id, kind, reason, score
        case archiveID = "archive_id"
        case type = "feature_type"
    }

    package init(
        id: FeatureID, archiveID: FeatureID, type: FeatureType, kind: Kind, reason: Reason, score: Double = 1
    ) {
        self.id = id
        self.archiveID = archiveID
        self.type = type
        self.kind = kind
        self.reason = reason
        self.score = score
    }
}

/// The features of an archive that the store has under other ids.
package struct Identities: Sendable {
    /// Sorted by the stored ids. Features with unchanged ids are not included.
    package let matches: [IdentityMatch]
    /// How many pairs of features the matcher compared for similarity: the cost of the slowest of its steps.
    package let comparisonCount: Int

    package init(matches: [IdentityMatch], comparisonCount: Int) {
        self.matches = matches
        self.comparisonCount = comparisonCount
    }

    /// No feature has another id.
    package static let unchanged = Identities(matches: [], comparisonCount: 0)

    /// The stored ids by the ids of the archive, if they differ.
    package var storedIDs: [FeatureID: FeatureID] {
        Dictionary(uniqueKeysWithValues: self.matches.map { ($0.archiveID, $0.id) })
    }
}
