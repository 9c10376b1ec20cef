import IMDF

/// How a name stands in a list: short, in a bounded number of languages.
enum NameExcerpt {
    static let characters = 200
    /// Of one language. A character may be as long as its author likes.
    private static let bytesOfLanguage = 1_000
    private static let languages = 20
    private static let bytesOfTag = 35
    /// Of all languages.
    private static let bytes = 4_000

    /// A LABELS member, or whatever stands in its place, cut; nil for what is no text at all.
    static func excerpt(of value: JSONValue?) -> JSONValue? {
        switch value {
        case .string(let text): return .string(self.excerpt(of: text))
        case .object(let labels):
            var (members, length): ([JSONObject.Member], Int) = ([], 0)
            for member in labels.members where members.count < self.languages {
                guard member.key.utf8.count <= self.bytesOfTag else { continue }
                guard let text = member.value.string.map(self.excerpt(of:)) else {
                    if member.value.isNull { members.append(member) }
                    continue
                }
                length += text.utf8.count
                guard length <= self.bytes else { break }
                members.append(.init(key: member.key, value: .string(text)))
            }
            return .object(JSONObject(members))
        case .array, nil: return nil
        case .null, .bool, .number: return value
        }
    }

    static func excerpt(of text: String) -> String {
        text.excerpt(characters: self.characters, bytes: self.bytesOfLanguage)
    }
}
