import IMDF

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
