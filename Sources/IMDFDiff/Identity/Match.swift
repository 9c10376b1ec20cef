package import IMDF

/// An id of an archive that stands for a feature which the store knows by another id.
package struct Match: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// The id was matched before.
        case alias
        /// The same content, ids and references left out.
        case exact
        /// Much the same: a reason and a score say how much.
        case near
    }

    /// What speaks for a near match.
    package enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
        /// The id was matched in an earlier upload.
        case known
        /// Ids and references left out, it says the same.
        case content
        /// It stands where the other one stood.
        case place
        /// It covers mostly what the other one covered.
        case overlap
        /// The same outline, or the same point with the same properties, a few metres away.
        case shifted
        /// The same name, near by or on the same floor.
        case name
        /// The same telephone number, website or correlation.
        case contact
        /// It holds the same things together.
        case references
    }

    /// The id that the store knows and keeps.
    package let stored: FeatureID
    /// The id in the archive, which becomes an alias.
    package let arrived: FeatureID
    package let type: FeatureType
    package let kind: Kind
    package let reason: Reason
    /// From 0 to 1; 1 for what is no guess.
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

/// Under which ids the store knows the features of an archive.
package struct Identities: Sendable {
    /// By the stored ids. Features that came under their stored ids are not among them.
    package let matches: [Match]

    package init(matches: [Match]) {
        self.matches = matches
    }

    /// Every id is taken at its word.
    package static let asTheyCame = Identities(matches: [])

    /// The stored ids by those of the archive, where they differ.
    package var storedIDs: [FeatureID: FeatureID] {
        Dictionary(uniqueKeysWithValues: self.matches.map { ($0.arrived, $0.stored) })
    }
}
