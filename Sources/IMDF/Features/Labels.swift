/// A text in several languages: IMDF's LABELS, an object of language tags and texts.
///
/// Blank texts, of which nothing is visible, are ignored. A plain string, which IMDF does not allow but archives contain, is a text without a language.
public struct Labels: Hashable, Sendable {
    private struct Entry: Hashable {
        /// The language tag in lower case; empty for a plain string.
        let tag: String
        let text: String
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
    /// `zh-Hant`), then in the same script (`zh-HK` for `zh-TW`), then with any script and region (`zh-Hans`). Likely scripts and aliases are
    /// those of Unicode CLDR: `zh-TW` is in the script `Hant`, `iw` is `he`, and `no` is `nb`. If none is available, the first text by tag
    /// is returned. Case does not matter.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 tags.
    ///   - archiveLanguage: the manifest's `language`.
    /// - Complexity: O(*n*) in the number of texts for each language. Their tags are read once at most.
    public func text(for languages: [String] = [], archiveLanguage: String? = nil) -> String {
        self.text(for: languages, archiveLanguage: archiveLanguage) { LabelLanguage($0) }
    }

    /// - Parameter read: Reads a language tag. Called at most once for each language, and once for each text.
    package func text(
        for languages: [String], archiveLanguage: String?, reading read: (_ tag: String) -> LabelLanguage
    ) -> String {
        // A hostile archive may have tens of thousands of texts in a label.
        var tags: [LabelLanguage]?
        for language in languages + [archiveLanguage].compactMap(\.self) {
            let language = language.lowercased()
            if !language.isEmpty, let entry = self.entries.first(where: { $0.tag == language }) { return entry.text }
            let known = tags ?? self.entries.map { read($0.tag) }
            tags = known
            if let index = read(language).nearest(among: known) { return self.entries[index].text }
        }
        return self.entries[0].text
    }

    /// Every text once, in the order of the tags.
    public var texts: [String] {
        // By bytes: to hash a string, Swift normalizes it, in a time that grows with the square of the number of its marks.
        var seen: Set<[UInt8]> = []
        return self.entries.map(\.text).filter { seen.insert(Array($0.utf8)).inserted }
    }
}
