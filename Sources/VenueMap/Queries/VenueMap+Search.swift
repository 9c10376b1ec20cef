public import Foundation
public import IMDF

extension VenueMap {
    /// A feature that was found, with what a list and a map need to show it.
    public struct SearchResult: Hashable, Sendable {
        public let id: FeatureID
        public let type: FeatureType
        /// Nil if the feature is on several levels or none.
        public let level: FeatureID?
        public let ordinal: Int?
        public let point: LabelPoint?
        /// The best matching text.
        public let text: String
        public let match: SearchMatch
    }

    /// Searches features by their names in all languages and by their categories.
    ///
    /// Width, case, accents, punctuation, and the difference between hiragana and katakana are ignored: `カフェ`, `ｶﾌｪ` and `かふぇ` are
    /// equal. The order is deterministic: by ``SearchMatch``; then by member (`name`, `alt_name`, `short_name`, category), type, text
    /// and id. Each feature is found at most once, by its best match.
    ///
    /// - Parameters:
    ///   - types: Nil: all types.
    ///   - level: Only features that are on this level or touch it; nil: all levels.
    ///   - instant: Only features that are present at this time by their `validity`; nil: all features.
    /// - Complexity: O(*n*) in the number of names.
    public func search(
        _ text: String, types: Set<FeatureType>? = nil, on level: FeatureID? = nil, at instant: Date? = nil,
        limit: Int = 50
    ) -> [SearchResult] {
        let query = FoldedText(text)
        guard !query.text.isEmpty, limit > 0 else { return [] }
        var found: [FeatureID: Candidate] = [:]
        for term in self.index.terms.values.joined() {
            guard let feature = self.features[term.id], types?.contains(feature.type) != false,
                level.map({ feature.isPlaced(on: $0) }) != false, let match = term.match(query)
            else { continue }
            let candidate = Candidate(match: match, term: term, feature: feature)
            if found[term.id].map({ candidate.precedes($0) }) != false { found[term.id] = candidate }
        }
        return found.values.filter { candidate in
            instant.map { self.isPresent(candidate.feature.id, at: $0) } ?? true
        }.sorted { $0.precedes($1) }.prefix(limit).map { self.result($0) }
    }

    private func result(_ candidate: Candidate) -> SearchResult {
        let feature = candidate.feature
        return SearchResult(
            id: feature.id, type: feature.type, level: feature.placement.level,
            ordinal: self.level(of: feature)?.ordinal, point: self.labelPoint(of: feature), text: candidate.term.text,
            match: candidate.match)
    }

    private struct Candidate {
        let match: SearchMatch
        let term: SearchTerm
        let feature: MapFeature

        func precedes(_ other: Candidate) -> Bool {
            if self.match != other.match { return self.match < other.match }
            if self.term.member != other.term.member { return self.term.member.rawValue < other.term.member.rawValue }
            let (left, right) = (self.feature, other.feature)
            if left.type != right.type {
                return (left.type.rank, left.type.rawValue) < (right.type.rank, right.type.rawValue)
            }
            // Compares code units, because locale-dependent orders differ between devices.
            if self.term.text != other.term.text { return CanonicalJSON.precedes(self.term.text, other.term.text) }
            return left.id < right.id
        }
    }
}

extension MapFeature {
    /// Whether the feature is on this level or touches it.
    func isPlaced(on level: FeatureID) -> Bool {
        self.placement.level == level || self.placement.touches.contains(level)
    }
}
