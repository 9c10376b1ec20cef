package import IMDF

/// A feature of an uploaded archive that was matched with a stored feature of another id: `GET /uploads/{id}/matches`.
package struct IdentityMatch: Sendable, Codable, Hashable {
    /// The kind of match.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The id was matched by an earlier upload.
        case alias
        /// The content is equal apart from ids and references.
        case exact
        /// The content is similar.
        case near
    }

    /// The stored id, which the feature keeps.
    package var id: FeatureID
    /// The id in the archive, which becomes an alias of the feature.
    package var archiveID: FeatureID
    package var type: FeatureType
    package var kind: Kind
    /// `known`, `content`, `place`, `overlap`, `shifted`, `name`, `contact` or `references`.
    package var reason: String
    /// From 0 to 1; 1 for exact matches and aliases.
    package var score: Double

    enum CodingKeys: String, CodingKey {
        case id, kind, reason, score
        case archiveID = "archive_id"
        case type = "feature_type"
    }

    package init(id: FeatureID, archiveID: FeatureID, type: FeatureType, kind: Kind, reason: String, score: Double) {
        self.id = id
        self.archiveID = archiveID
        self.type = type
        self.kind = kind
        self.reason = reason
        self.score = score
    }
}
