import IMDF

/// A text that equals another one only if both have the same bytes, unlike `String`, for which canonically equivalent texts are equal.
package struct ExactText: Hashable, Sendable {
    let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        guard left.string.utf8.count == right.string.utf8.count else { return false }
        let isEqual = left.string.utf8.withContiguousStorageIfAvailable { bytes in
            right.string.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return isEqual.flatMap(\.self) ?? left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.string.utf8.count)
        let isHashed: Void? = self.string.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in self.string.utf8 { hasher.combine(byte) } }
    }
}

package enum LanguageParameter {
    /// Whether the text consists of 2 to 35 ASCII letters, digits and hyphens.
    static func isWellFormed(_ tag: String) -> Bool {
        (2...35).contains(tag.utf8.count)
            && tag.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The text with ASCII letters in lower case.
    static func lowercased(_ tag: String) -> String {
        String(
            decoding: tag.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self)
    }

    /// The language in which a text is set: one of a closed set, because Pango keeps every tag that it has seen.
    package static func forText(_ tag: String?) -> String {
        guard let tag, self.isWellFormed(tag) else { return "en" }
        let language = LabelLanguage(tag)
        if ["zh", "yue"].contains(language.language) { return language.script == "hant" ? "zh-hant" : "zh-hans" }
        return self.textLanguages.contains(language.language) ? language.language : "en"
    }

    private static let textLanguages: Set<String> = [
        "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu",
        "id",
        "it", "ja", "ko", "lt", "lv", "ms", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th",
        "tr",
        "uk", "ur", "vi",
    ]
}
