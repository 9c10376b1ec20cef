/// A text in several languages: IMDF's LABELS, an object of language tags and texts.
///
/// Blank texts, of which nothing is visible, are ignored. A plain string, which IMDF does not allow but archives contain, is a text without a language.
public struct Labels: Hashable, Sendable {
    private struct Entry: Hashable {
        /// The language tag in lower case; empty for a plain string.
        let tag: String
        let text: String

        var language: Substring { self.tag.prefix { $0 != "-" } }
    }

    /// In the canonical order of the tags.
    private let entries: [Entry]

    /// Reads a LABELS member; nil if it contains no text.
    public init?(_ value: JSONValue?) {
        switch value {
        case .string(let text): self.entries = [Entry(tag: "", text: text)].filter { !$0.text.isBlank }
        case .object(let object):
            self.entries = object.members.compactMap { member in
                guard let text = member.value.string, !text.isBlank else { return nil }
                return Entry(tag: member.key.lowercased(), text: text)
            }
        default: return nil
        }
        if self.entries.isEmpty { return nil }
    }

    /// The text for the first of the preferred languages that is available.
    ///
    /// Each language, and finally that of the archive, is searched by its full tag, then by shorter and shorter tags (`zh-Hant-TW`,
    /// `zh-Hant`, `zh`), then with any script and region (`zh-Hans`). If none is available, the first text by tag is returned. Case
    /// does not matter.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 tags.
    ///   - archiveLanguage: the manifest's `language`.
    public func text(for languages: [String] = [], archiveLanguage: String? = nil) -> String {
        for language in languages + [archiveLanguage].compactMap(\.self) {
            if let entry = self.entry(for: language.lowercased()) { return entry.text }
        }
        return self.entries[0].text
    }

    /// Every text once, in the order of the tags.
    public var texts: [String] {
        var seen: Set<String> = []
        return self.entries.map(\.text).filter { seen.insert($0).inserted }
    }

    private func entry(for language: String) -> Entry? {
        var tag = Substring(language)
        while !tag.isEmpty {
            if let entry = self.entries.first(where: { $0.tag == tag }) { return entry }
            tag = tag.lastIndex(of: "-").map { tag[..<$0] } ?? ""
        }
        let primary = language.prefix { $0 != "-" }
        return primary.isEmpty ? nil : self.entries.first { $0.language == primary }
    }
}
