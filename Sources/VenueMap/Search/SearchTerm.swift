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
    /// The text is found without its spaces, by a name of its category, or by a synonym.
    case related
    /// The text is found if one spelling mistake is allowed.
    case misspelled

    public static func < (left: SearchMatch, right: SearchMatch) -> Bool { left.rawValue < right.rawValue }
}

/// A searchable text.
struct SearchTerm: Sendable {
    /// The member that contains the text, in the order of relevance.
    enum Member: Int, Sendable {
        case name, alternativeName, shortName, category, categoryName
    }

    let member: Member
    let text: String
    let folded: FoldedText

    init(_ member: Member, _ text: String) {
        self.member = member
        self.text = text
        self.folded = FoldedText(text)
    }

    /// The names of a category in all languages.
    static func names(of category: String) -> [SearchTerm] {
        CategoryNames.searchable(of: category).map { SearchTerm(.categoryName, $0) }
    }

    /// Nil if the text does not match.
    func match(_ query: SearchQuery) -> SearchMatch? {
        let (bytes, other) = (self.folded.bytes, query.text.bytes)
        if bytes.contains(other, at: 0) { return bytes.count == other.count ? .exact : .prefix }
        if query.words.allSatisfy({ self.folded.hasWord(beginningWith: $0) }) { return .wordPrefix }
        return bytes.firstOffset(of: other) == nil ? nil : .substring
    }
}

/// The searchable texts of a feature.
struct SearchTexts: Sendable {
    /// Its names in all languages, and its category.
    let terms: [SearchTerm]
    let names: [SearchTerm]
    let category: String?

    /// A feature of a hostile archive may have tens of thousands of names.
    private static let namesPerQuestion = 64

    /// - Parameter shouldStop: Called before every 64 names; the rest of them is left out when it is true.
    init(of feature: MapFeature, shouldStop: () -> Bool = { false }) {
        let members = [("name", SearchTerm.Member.name), ("alt_name", .alternativeName), ("short_name", .shortName)]
        var names: [SearchTerm] = []
        for (key, member) in members {
            for text in Labels(feature[key])?.texts ?? [] {
                if names.count.isMultiple(of: Self.namesPerQuestion), shouldStop() { break }
                names.append(SearchTerm(member, text))
            }
        }
        self.category = feature.category
        self.names = names
        self.terms = names + [feature.category].compactMap(\.self).map { SearchTerm(.category, $0) }
    }
}
