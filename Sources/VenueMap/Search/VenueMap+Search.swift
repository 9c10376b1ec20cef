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
    /// In a task that is cancelled, a search ends early, and its results are incomplete: an app that searches with every letter can cancel
    /// the search for the text before.
    ///
    /// - Parameters:
    ///   - types: Nil: all types.
    ///   - level: Only features that are on this level or touch it; nil: all levels.
    ///   - instant: Only features that are present at this time by their `validity`; nil: all features.
    ///   - limit: The maximum number of results, after all conditions.
    ///   - isRelated: Whether features are found, after these, that match without spaces, by the names of their category in all languages,
    ///     or by synonyms, in English and Japanese; if nothing is found then, together with the names of their floor and building, such as
    ///     `room 102 L1`; and if nothing is found then, with one spelling mistake, but never with another digit.
    ///   - isIncluded: A further condition. It is evaluated in the order of the results, until there are enough.
    /// - Complexity: O(*n*) in the number of names, besides sorting the matches.
    public func search(
        _ text: String, types: Set<FeatureType>? = nil, on level: FeatureID? = nil, at instant: Date? = nil,
        limit: Int = 50, isRelated: Bool = false, where isIncluded: (MapFeature) -> Bool = { _ in true }
    ) -> [SearchResult] {
        guard limit > 0, let query = SearchQuery(text) else { return [] }
        var names = CategoryTerms()
        var around: [FeatureID: [[SearchTerm]]] = [:]
        func results(_ hit: (MapFeature, SearchTexts) -> SearchQuery.Hit?) -> [SearchResult] {
            let candidates = self.index.texts.compactMap { id, texts -> SearchCandidate? in
                guard !Task.isCancelled, let feature = self.features[id], types?.contains(feature.type) != false,
                    level.map({ feature.isPlaced(on: $0) }) != false, let hit = hit(feature, texts)
                else { return nil }
                return SearchCandidate(hit: hit, id: id, type: feature.type)
            }
            var results: [SearchResult] = []
            for candidate in candidates.sorted(by: { $0.precedes($1) }) {
                guard results.count < limit, !Task.isCancelled else { break }
                guard let feature = self.features[candidate.id],
                    instant.map({ self.isPresent(feature.id, at: $0) }) != false, isIncluded(feature)
                else { continue }
                results.append(self.result(candidate, feature))
            }
            return results
        }
        guard isRelated, !query.text.isEmpty else { return results { query.hit(in: $1) } }
        return RelatedQuery.results(of: query, shouldStop: { Task.isCancelled }) { hit in
            results { hit($1, names[$1.category]) }
        } around: { hit in
            results { feature, texts in
                let lists = feature.levelIDs.flatMap { level -> [[SearchTerm]] in
                    if let known = around[level] { return known }
                    let lists = self.terms(around: level)
                    around[level] = lists
                    return lists
                }
                return hit(texts, names[texts.category], lists)
            }
        }
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

    private func result(_ candidate: SearchCandidate, _ feature: MapFeature) -> SearchResult {
        SearchResult(
            id: feature.id, type: feature.type, level: feature.placement.level,
            ordinal: self.level(of: feature)?.ordinal, point: self.labelPoint(of: feature),
            text: candidate.hit.term.text, match: candidate.hit.match)
    }
}

/// The names of categories, each of which is folded once.
struct CategoryTerms: Sendable {
    /// By UTF-8, because hashing a string of many marks takes long.
    private var terms: [[UInt8]: [SearchTerm]] = [:]

    /// None for nil.
    subscript(category: String?) -> [SearchTerm] {
        mutating get {
            guard let category else { return [] }
            let key = Array(category.utf8)
            if let known = self.terms[key] { return known }
            let names = SearchTerm.names(of: category)
            self.terms[key] = names
            return names
        }
    }
}

extension MapFeature {
    /// Whether the feature is on this level or touches it.
    func isPlaced(on level: FeatureID) -> Bool {
        self.placement.level == level || self.placement.touches.contains(level)
    }
}
