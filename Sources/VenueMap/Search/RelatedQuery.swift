/// Matches beyond a feature's own texts as they are written: without the spaces, by the names of its category, by synonyms, by the group
/// of its category, and with one spelling mistake.
struct RelatedQuery {
    private struct Variant {
        let joined: [UInt8]
        let words: [[UInt8]]
        /// Of a synonym.
        let penalty: Int
        /// Short synonyms, such as “loo”, would be found inside of other words.
        let isWholeWord: Bool

        func isWord(_ word: [UInt8], of term: SearchTerm) -> Bool {
            self.isWholeWord ? term.folded.hasWord(word) : term.folded.hasWord(beginningWith: word)
        }

        /// As ``isWord(_:of:)``, but a number is a whole word: room 10 is not room 102.
        func isWholeNumber(_ word: [UInt8], of term: SearchTerm) -> Bool {
            word.contains(where: \.isDigit) ? term.folded.hasWord(word) : self.isWord(word, of: term)
        }
    }

    private let variants: [Variant]
    private let match: SearchMatch
    /// Called before each variant and word; nothing matches any more when it is true.
    private let shouldStop: () -> Bool
    /// The words in UTF-16, in which mistakes are counted.
    private let words: [[UInt16]]
    /// Whether the query means all places for eating and drinking.
    private let meansFood: Bool

    /// Shorter words have too many neighbours.
    private static let shortestMisspelledWord = 4

    private init(_ query: SearchQuery, _ shouldStop: @escaping () -> Bool) {
        let meansFood = Synonyms.meansFood(query.text)
        self.variants = Synonyms.variants(of: query.text).enumerated().map { index, text in
            // “eat” is inside of “leather goods”.
            Variant(
                joined: text.joined, words: text.words, penalty: index > 0 ? 1 : 0,
                isWholeWord: index > 0 || meansFood ? text.isASCII : false)
        }
        self.words = query.words.map { Array(String(decoding: $0, as: UTF8.self).utf16) }
        self.match = .related
        self.meansFood = meansFood
        self.shouldStop = shouldStop
    }

    /// The results of the first of these that has any: what matches as it is written or is related; the whole group that the query means
    /// then, such as food for coffee; what matches together with the names of its floor and building; what is misspelled; what matches a
    /// misspelled synonym.
    ///
    /// - Parameters:
    ///   - shouldStop: Called often; what was not compared until then matches nothing when it is true.
    ///   - results: Those that match by a closure.
    ///   - resultsAround: Those that match by a closure whose last argument are the names of each floor and building.
    static func results<Result>(
        of query: SearchQuery, shouldStop: @escaping () -> Bool,
        in results: (_ hit: (SearchTexts, [SearchTerm]) -> SearchQuery.Hit?) -> [Result],
        around resultsAround: (_ hit: (SearchTexts, [SearchTerm], [[SearchTerm]]) -> SearchQuery.Hit?) -> [Result]
    ) -> [Result] {
        let related = Self(query, shouldStop)
        let found = results { related.ownHit(of: query, in: $0) ?? related.hit(in: $0, category: $1) }
        guard found.isEmpty else { return found }
        if Synonyms.meansFood(query.text, isLast: true) {
            let group = results { Self.foodHit(in: $0, category: $1) }
            guard group.isEmpty else { return group }
        }
        if query.words.count > 1 {
            let around = resultsAround { related.hit(in: $0, category: $1, around: $2) }
            guard around.isEmpty else { return around }
        }
        let misspelled = results { related.misspelledHit(in: $0, category: $1) }
        guard misspelled.isEmpty, let corrected = Self(correcting: query, shouldStop) else { return misspelled }
        return results { corrected.hit(in: $0, category: $1) }
    }

    /// The words of the groups of synonyms that have a word which differs from the query by one mistake; nil if there is none.
    private init?(correcting query: SearchQuery, _ shouldStop: @escaping () -> Bool) {
        let text = Array(String(decoding: query.text.bytes, as: UTF8.self).utf16)
        guard text.count >= Self.shortestMisspelledWord, !Self.hasDigit(text) else { return nil }
        let words = Synonyms.words { word in
            Self.hasOneMistake(text, Array(String(decoding: word.bytes, as: UTF8.self).utf16)[...])
        }
        guard !words.isEmpty else { return nil }
        self.variants = words.map {
            Variant(joined: $0.joined, words: $0.words, penalty: 1, isWholeWord: $0.isASCII)
        }
        (self.words, self.match, self.meansFood) = ([], .misspelled, false)
        self.shouldStop = shouldStop
    }

    /// The best match, whose rank is twice the following, and one more for a synonym: 0 if a text of the feature begins with the query
    /// when spaces are ignored; 1 if it contains it so; 2 if all words of the query begin words of its texts or of the names of its
    /// category; 3 if a name of the category contains the query; 4 if the query means the whole group of the category.
    private func hit(in texts: SearchTexts, category: [SearchTerm]) -> SearchQuery.Hit? {
        var best: SearchQuery.Hit?
        for variant in self.variants where !self.shouldStop() {
            guard let (rank, term) = self.best(of: variant, in: texts.terms, category) else { continue }
            let hit = SearchQuery.Hit(match: self.match, rank: 2 * rank + variant.penalty, term: term)
            if best.map({ hit.rank < $0.rank }) != false { best = hit }
        }
        return best ?? (self.meansFood ? Self.foodHit(in: texts, category: category) : nil)
    }

    /// A match if every word of the query is one of the texts or of the names of the floor and building, and one of the texts: “room 102 L1”.
    private func hit(in texts: SearchTexts, category: [SearchTerm], around: [[SearchTerm]]) -> SearchQuery.Hit? {
        let own = texts.terms + category
        func hasWord(_ word: [UInt8], _ variant: Variant) -> Bool {
            // The names of a building may be thousands, and are not copied for each place.
            own.contains { variant.isWholeNumber(word, of: $0) }
                || around.contains { terms in
                    !self.shouldStop() && terms.contains { variant.isWholeNumber(word, of: $0) }
                }
        }
        for variant in self.variants where !self.shouldStop() {
            guard
                let term = own.first(where: { term in variant.words.contains { variant.isWholeNumber($0, of: term) } }),
                variant.words.allSatisfy({ hasWord($0, variant) })
            else { continue }
            return SearchQuery.Hit(match: self.match, rank: 10 + variant.penalty, term: term)
        }
        return nil
    }

    /// The hit of a feature's own texts. If the query means food, it is not found inside of words of other places: “eat” is in “leather
    /// goods” too.
    private func ownHit(of query: SearchQuery, in texts: SearchTexts) -> SearchQuery.Hit? {
        guard let hit = query.hit(in: texts) else { return nil }
        guard self.meansFood, hit.match == .substring else { return hit }
        return texts.category.map(CategoryGroup.isFood) == true ? hit : nil
    }

    private static func foodHit(in texts: SearchTexts, category: [SearchTerm]) -> SearchQuery.Hit? {
        guard texts.category.map(CategoryGroup.isFood) == true else { return nil }
        return (category.first ?? texts.terms.last).map { SearchQuery.Hit(match: .related, rank: 8, term: $0) }
    }

    private func best(
        of variant: Variant, in terms: [SearchTerm], _ category: [SearchTerm]
    ) -> (rank: Int, term: SearchTerm)? {
        if !variant.isWholeWord {
            if let term = terms.first(where: { $0.folded.joined.contains(variant.joined, at: 0) }) { return (0, term) }
            if let term = terms.first(where: { $0.folded.joined.firstOffset(of: variant.joined) != nil }) {
                return (1, term)
            }
        }
        let all = terms + category
        if let first = all.first,
            variant.words.allSatisfy({ word in
                !self.shouldStop() && all.contains { variant.isWord(word, of: $0) }
            })
        {
            let whole = all.first { term in variant.words.allSatisfy { variant.isWord($0, of: term) } }
            return (2, whole ?? first)
        }
        guard !variant.isWholeWord else { return nil }
        return category.first { $0.folded.joined.firstOffset(of: variant.joined) != nil }.map { (3, $0) }
    }

    /// A match if every word of the query begins a word of the texts with at most one mistake. The first letter may be the one.
    private func misspelledHit(in texts: SearchTexts, category: [SearchTerm]) -> SearchQuery.Hit? {
        guard self.words.contains(where: { $0.count >= Self.shortestMisspelledWord }) else { return nil }
        let all = (texts.terms + category).map { term in
            let parts = term.folded.words + [term.folded.joined]
            return (term, parts.map { Array(String(decoding: $0, as: UTF8.self).utf16) })
        }
        var first: SearchTerm?
        for word in self.words {
            guard !self.shouldStop(),
                let (term, _) = all.first(where: { _, parts in parts.contains { Self.isNear(word, $0) } })
            else { return nil }
            first = first ?? term
        }
        return first.map { SearchQuery.Hit(match: .misspelled, rank: 0, term: $0) }
    }

    /// Whether a word begins another one with at most one mistake; short words without a mistake.
    private static func isNear(_ word: [UInt16], _ other: [UInt16]) -> Bool {
        // Room 1234 and room 1235 are different rooms.
        if self.hasDigit(word) { return word == other }
        if other.starts(with: word) { return true }
        // The shortest words are near the beginning of too many longer ones: “exit” near that of “extinguisher”.
        guard word.count > Self.shortestMisspelledWord else {
            return word.count == Self.shortestMisspelledWord && Self.hasOneMistake(word, other[...])
        }
        return (-1...1).contains { Self.hasOneMistake(word, other.prefix(word.count + $0)) }
    }

    private static func hasDigit(_ word: [UInt16]) -> Bool {
        word.contains { (0x30...0x39).contains($0) }
    }

    /// Whether two words differ in one letter that is missing, added, another one, or exchanged with its neighbour.
    private static func hasOneMistake(_ one: [UInt16], _ other: ArraySlice<UInt16>) -> Bool {
        guard abs(one.count - other.count) <= 1 else { return false }
        let common = zip(one, other).prefix { $0 == $1 }.count
        let (a, b) = (one.dropFirst(common), other.dropFirst(common))
        if a.elementsEqual(b) || a.dropFirst().elementsEqual(b.dropFirst()) || a.elementsEqual(b.dropFirst())
            || a.dropFirst().elementsEqual(b)
        {
            return true
        }
        return a.count >= 2 && b.count >= 2 && a[a.startIndex] == b[b.startIndex + 1]
            && a[a.startIndex + 1] == b[b.startIndex] && a.dropFirst(2).elementsEqual(b.dropFirst(2))
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
