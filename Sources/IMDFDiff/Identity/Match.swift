package import IMDF

/// A stored feature that an archive contains under another id.
package struct Match: Hashable, Sendable {
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

    /// The id in the store, which is kept.
    package let stored: FeatureID
    /// The id in the archive, which becomes an alias.
    package let arrived: FeatureID
    package let type: FeatureType
    package let kind: Kind
    package let reason: Reason
    /// From 0 to 1; 1 unless the kind is `near`.
    package let score: Double

    package init(
        stored: FeatureID, arrived: FeatureID, type: FeatureType, kind: Kind, reason: Reason, score: Double = 1
    ) {
        self.stored = stored
        self.arrived = arrived
        self.type = type
        self.kind = kind
        self.reason = reason
        self.score = score
    }
}

/// The features of an archive that the store has under other ids.
package struct Identities: Sendable {
    /// Sorted by the stored ids. Features with unchanged ids are not included.
    package let matches: [Match]
    /// How many pairs of features the matcher compared for similarity: the cost of the slowest of its steps.
    package let comparisonCount: Int

    package init(matches: [Match], comparisonCount: Int) {
        self.matches = matches
        self.comparisonCount = comparisonCount
    }

    /// No feature has another id.
    package static let unchanged = Identities(matches: [], comparisonCount: 0)

    /// The stored ids by the ids of the archive, if they differ.
    package var storedIDs: [FeatureID: FeatureID] {
        Dictionary(uniqueKeysWithValues: self.matches.map { ($0.arrived, $0.stored) })
    }
}
