import IMDF

/// How well a text matches the search text, the best first.
public enum SearchMatch: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The texts are equal.
    case exact
    /// The text begins with the search text.
    case prefix
    /// Each word of the search text is a prefix of a word of the text.
    case wordPrefix
    /// The text contains the search text.
    case substring

    public static func < (left: SearchMatch, right: SearchMatch) -> Bool { left.rawValue < right.rawValue }
}

/// A searchable text of a feature.
struct SearchTerm: Sendable {
    /// The member that contains the text, in the order of relevance.
    enum Member: Int, Sendable {
        case name, alternativeName, shortName, category
    }

    let id: FeatureID
    let member: Member
    let text: String
    private let folded: FoldedText

    private init(_ id: FeatureID, _ member: Member, _ text: String) {
        self.id = id
        self.member = member
        self.text = text
        self.folded = FoldedText(text)
    }

    /// The feature's names in all languages, and its category.
    static func terms(of feature: MapFeature) -> [SearchTerm] {
        let members = [("name", Member.name), ("alt_name", .alternativeName), ("short_name", .shortName)]
        let names = members.flatMap { key, member in
            (Labels(feature[key])?.texts ?? []).map { SearchTerm(feature.id, member, $0) }
        }
        return names + [feature.category].compactMap(\.self).map { SearchTerm(feature.id, .category, $0) }
    }

    /// Nil if the text does not match.
    func match(_ query: FoldedText) -> SearchMatch? {
        let text = self.folded.text
        if text == query.text { return .exact }
        if text.utf8.starts(with: query.text.utf8) { return .prefix }
        let words = self.folded.words
        if query.words.allSatisfy({ part in words.contains { $0.utf8.starts(with: part.utf8) } }) { return .wordPrefix }
        // Code units: a text in Thai or Hindi is found by a part that begins within a character.
        return text.utf8.contains(query.text.utf8) ? .substring : nil
    }
}
