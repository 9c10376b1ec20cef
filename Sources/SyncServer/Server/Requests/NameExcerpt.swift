import IMDF

/// Shortened names for lists, in a bounded number of languages.
enum NameExcerpt {
    static let maxCharacters = 200
    /// Of the name in one language. A single character may have any number of bytes.
    private static let maxBytes = 1_000
    private static let maxLanguages = 20
    private static let maxTagBytes = 35
    /// Of the names in all languages.
    private static let maxTotalBytes = 4_000

    /// A LABELS member, or a value of another type in its place, shortened; nil for an array and an absent member.
    static func excerpt(of value: JSONValue?) -> JSONValue? {
        switch value {
        case .string(let text): return .string(self.excerpt(of: text))
        case .object(let labels):
            var (members, length): ([JSONObject.Member], Int) = ([], 0)
            for member in labels.members where members.count < self.maxLanguages {
                guard member.key.utf8.count <= self.maxTagBytes else { continue }
                guard let text = member.value.string.map(self.excerpt(of:)) else {
                    if member.value.isNull { members.append(member) }
                    continue
                }
                length += text.utf8.count
                guard length <= self.maxTotalBytes else { break }
                members.append(.init(key: member.key, value: .string(text)))
            }
            return .object(JSONObject(members))
        case .array, nil: return nil
        case .null, .bool, .number: return value
        }
    }

    static func excerpt(of text: String) -> String {
        text.excerpt(characters: self.maxCharacters, bytes: self.maxBytes)
    }
}
