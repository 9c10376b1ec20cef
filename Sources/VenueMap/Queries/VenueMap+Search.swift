public import Foundation
public import IMDF
public import OpeningHours

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
    /// and id. Each feature is found at most once, by its best match. An empty text, or only white space, finds every feature that has
    /// a name or a category.
    ///
    /// - Parameters:
    ///   - types: Nil: all types.
    ///   - level: Only features that are on this level or touch it; nil: all levels.
    ///   - instant: Only features that are present at this time by their `validity`; nil: all features.
    ///   - limit: The maximum number of results, after all conditions.
    ///   - isIncluded: A further condition. It is evaluated in the order of the results, until there are enough.
    /// - Complexity: O(*n*) in the number of names, besides sorting the matches.
    public func search(
        _ text: String, types: Set<FeatureType>? = nil, on level: FeatureID? = nil, at instant: Date? = nil,
        limit: Int = 50, where isIncluded: (MapFeature) -> Bool = { _ in true }
    ) -> [SearchResult] {
        let query = FoldedText(text)
        guard limit > 0, !query.text.isEmpty || text.allSatisfy(\.isWhitespace) else { return [] }
        var found: [FeatureID: Candidate] = [:]
        for term in self.index.terms.values.joined() {
            guard let feature = self.features[term.id], types?.contains(feature.type) != false,
                level.map({ feature.isPlaced(on: $0) }) != false,
                let match = query.text.isEmpty ? .prefix : term.match(query)
            else { continue }
            let candidate = Candidate(match: match, term: term, feature: feature)
            if found[term.id].map({ candidate.precedes($0) }) != false { found[term.id] = candidate }
        }
        var results: [SearchResult] = []
        for candidate in found.values.sorted(by: { $0.precedes($1) }) {
            guard results.count < limit else { break }
            let feature = candidate.feature
            guard instant.map({ self.isPresent(feature.id, at: $0) }) != false, isIncluded(feature) else { continue }
            results.append(self.result(candidate))
        }
        return results
    }

    /// Searches features that are open at a time, such as all open shops for an empty text; otherwise like
    /// ``search(_:types:on:at:limit:where:)``. Features whose state is unknown are not found.
    public func searchOpen(
        _ text: String = "", types: Set<FeatureType>? = [.occupant], on level: FeatureID? = nil, at instant: Date,
        holidays: Holidays = .none, limit: Int = 50
    ) -> [SearchResult] {
        self.search(text, types: types, on: level, at: instant, limit: limit) { feature in
            self.state(of: feature.id, at: instant, holidays: holidays) == .open
        }
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
                return (left.type.searchRank, left.type.rawValue) < (right.type.searchRank, right.type.rawValue)
            }
            // Compares code units, because locale-dependent orders differ between devices.
            if self.term.text != other.term.text { return CanonicalJSON.precedes(self.term.text, other.term.text) }
            return left.id < right.id
        }
    }
}

extension FeatureType {
    /// The types in the order in which a search finds them, the same in all clients.
    private static let searchRanks: [FeatureType: Int] = {
        let types: [FeatureType] = [
            .venue, .address, .building, .footprint, .level, .section, .geofence, .unit, .fixture, .kiosk, .opening,
            .detail,
            .anchor, .occupant, .amenity, .relationship,
        ]
        return Dictionary(uniqueKeysWithValues: zip(types, 0...))
    }()

    /// All other types come last.
    fileprivate var searchRank: Int { Self.searchRanks[self] ?? Self.searchRanks.count }
}

extension MapFeature {
    /// Whether the feature is on this level or touches it.
    func isPlaced(on level: FeatureID) -> Bool {
        self.placement.level == level || self.placement.touches.contains(level)
    }
}
