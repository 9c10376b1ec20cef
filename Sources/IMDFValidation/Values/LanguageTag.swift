/// Language tags by the grammar of RFC 5646 §2.1, with language, script and region from the ISO lists that the IANA registry is
/// based on.
enum LanguageTag {
    static func isValid(_ text: String) -> Bool {
        let tag = text.lowercased()
        guard tag.utf8.count <= 255, tag.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
        else { return false }
        if self.grandfathered.contains(tag) { return true }
        var subtags = tag.split(separator: "-", omittingEmptySubsequences: false)[...]
        guard subtags.allSatisfy({ (1...8).contains($0.utf8.count) }) else { return false }
        if subtags.first == "x" { return subtags.count > 1 }
        guard let language = subtags.popFirst(), self.isLanguage(language) else { return false }
        var extended = 0
        while extended < 3, let next = subtags.first, next.utf8.count == 3, next.isLetters {
            subtags.removeFirst()
            extended += 1
        }
        if let script = subtags.first, script.utf8.count == 4, script.isLetters {
            guard self.isScript(script) else { return false }
            subtags.removeFirst()
        }
        if let region = subtags.first, region.isLetters ? region.utf8.count == 2 : region.isDigits(3) {
            guard self.isRegion(region) else { return false }
            subtags.removeFirst()
        }
        var variants: Set<Substring> = []
        while let variant = subtags.first, variant.utf8.count > 1 {
            let isLong = variant.utf8.count >= 5
            guard isLong || variant.utf8.count == 4 && variant.utf8.first?.isDigit == true,
                variants.insert(variant).inserted
            else { return false }
            subtags.removeFirst()
        }
        return self.areExtensions(subtags)
    }

    /// Extensions, each introduced by a letter or digit, then a private-use part introduced by `x`.
    private static func areExtensions(_ subtags: ArraySlice<Substring>) -> Bool {
        var rest = subtags
        var singletons: Set<Substring> = []
        while let singleton = rest.popFirst() {
            if singleton == "x" { return !rest.isEmpty }
            guard singleton.utf8.count == 1, singletons.insert(singleton).inserted,
                let first = rest.first, first.utf8.count > 1
            else { return false }
            rest = rest.drop { $0.utf8.count > 1 }
        }
        return true
    }

    private static func isLanguage(_ subtag: Substring) -> Bool {
        guard subtag.isLetters, (2...3).contains(subtag.utf8.count) else { return false }
        return CodeLists.languages.contains(String(subtag)) || subtag.utf8.count == 3 && ("qaa"..."qtz") ~= subtag
    }

    private static func isScript(_ subtag: Substring) -> Bool {
        CodeLists.scripts.contains(String(subtag)) || ("qaaa"..."qabx") ~= subtag
    }

    /// A country code, a three-digit area code, or a private-use code.
    private static func isRegion(_ subtag: Substring) -> Bool {
        subtag.isDigits(3) || CodeLists.countries.contains(subtag.uppercased())
            || subtag == "aa" || subtag == "zz" || subtag == "eu" || subtag == "un" || subtag.first == "x"
            || ("qm"..."qz") ~= subtag
    }

    /// Tags that were registered before the grammar and deviate from it.
    private static let grandfathered: Set<String> = [
        "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux", "i-mingo", "i-navajo",
        "i-pwn", "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de", "art-lojban", "cel-gaulish",
        "no-bok", "no-nyn", "zh-guoyu", "zh-hakka", "zh-min", "zh-min-nan", "zh-xiang",
    ]
}

extension Substring {
    fileprivate var isLetters: Bool { self.utf8.allSatisfy { $0.isLetterOrDigit && !$0.isDigit } }

    fileprivate func isDigits(_ count: Int) -> Bool { self.utf8.count == count && self.utf8.allSatisfy(\.isDigit) }
}

extension UInt8 {
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Of ASCII.
    var isLetterOrDigit: Bool { self.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}
