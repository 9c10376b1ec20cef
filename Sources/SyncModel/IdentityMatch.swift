public import IMDF

/// An id of an uploaded archive that was taken for a feature which the store knows by another id: `GET /uploads/{id}/matches`.
public struct IdentityMatch: Sendable, Codable, Hashable {
    /// How sure it is.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The id was matched before.
        case alias
        /// The same content, ids and references left out.
        case exact
        /// Much the same.
        case near
    }

    /// The stored id, which the feature keeps.
    public var id: FeatureID
    /// The id in the archive, by which the feature is found too from now on.
    public var archiveID: FeatureID
    public var type: FeatureType
    public var kind: Kind
    /// `known`, `content`, `place`, `overlap`, `shifted`, `name`, `contact` or `references`.
    public var reason: String
    /// From 0 to 1; 1 for what is no guess.
    public var score: Double

    enum CodingKeys: String, CodingKey {
        case id, kind, reason, score
        case archiveID = "archive_id"
        case type = "feature_type"
    }

    public init(id: FeatureID, archiveID: FeatureID, type: FeatureType, kind: Kind, reason: String, score: Double) {
        self.id = id
        self.archiveID = archiveID
        self.type = type
        self.kind = kind
        self.reason = reason
        self.score = score
    }
}
