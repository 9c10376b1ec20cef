/// A BCP 47 language tag as texts of labels are chosen by it: aliases are replaced, and a script that the tag leaves out is the likely one, by
/// Unicode CLDR. `zh-TW` is Chinese in traditional characters, `iw` is `he`, and `no` is `nb`. As in CLDR, `_` separates subtags, too:
/// exporters write `en_US`.
package struct LabelLanguage: Hashable, Sendable {
    /// The primary subtag, in lower case.
    package let language: String
    /// In lower case; empty for languages that are written in one script, unless the tag names it.
    package let script: String
    /// In lower case; empty if the tag has none.
    let region: String
    /// The tag in lower case, with the replaced language.
    let text: String
    /// The tag in lower case.
    private let tag: String

    /// - Parameter tag: Any text; what is no language tag is the nearest to itself only.
    package init(_ tag: String) {
        self.tag = tag.lowercased()
        var subtags = self.tag.split { $0 == "-" || $0 == "_" }.prefix(16).map(String.init)
        // Older tags name the kind of Chinese behind `zh`.
        if subtags.first == "zh", subtags.count > 1, ["cmn", "yue"].contains(subtags[1]) { subtags.removeFirst() }
        let alias = subtags.first.flatMap { Self.aliases[$0] }?.split(separator: "-").map(String.init)
        let language = alias?.first ?? subtags.first ?? ""
        var (script, region) = ("", "")
        for subtag in subtags.dropFirst().prefix(while: { $0.utf8.count > 1 }) {
            let isNumber = subtag.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            switch subtag.utf8.count {
            case 4 where script.isEmpty && !isNumber: script = subtag
            case 2 where region.isEmpty, 3 where region.isEmpty && isNumber: region = subtag
            default: break
            }
        }
        if script.isEmpty { script = alias?.dropFirst().first ?? Self.likelyScript(of: language, in: region) }
        (self.language, self.script, self.region) = (language, script, region)
        self.text = ([language] + subtags.dropFirst()).joined(separator: "-")
    }

    /// The index of the nearest of some languages; nil if there is none that readers of this language know.
    ///
    /// The first of these that exists: the whole tag, and shorter and shorter ones (`zh-Hant-TW`, `zh-Hant`); the same language in the same
    /// script and region; in the same script; in any script; a language that most readers understand.
    package func nearest(among languages: [LabelLanguage]) -> Int? {
        guard !self.language.isEmpty else { return nil }
        // All tags that are looked for begin with the language.
        let same = languages.indices.filter { languages[$0].language == self.language }
        for text in self.fallbacks {
            if let index = same.first(where: { languages[$0].text == text }) { return index }
        }
        let near = same.filter { languages[$0].script == self.script }
        if let index = near.first(where: { languages[$0].region == self.region }) ?? near.first ?? same.first {
            return index
        }
        guard let other = Self.understood[self.language] else { return nil }
        return languages.firstIndex { $0.language == other && $0.script == self.script }
            ?? languages.firstIndex { $0.language == other }
    }

    /// The index of the nearest of some languages that is this one, in the same script: what to change for a text in it; nil if there is none.
    package func ownIndex(among languages: [LabelLanguage]) -> Int? {
        let own = languages.indices.filter {
            languages[$0].language == self.language && languages[$0].script == self.script
        }
        return self.nearest(among: own.map { languages[$0] }).map { own[$0] }
    }

    /// Whether a text in another language is as good as one in this language: in the same script, whatever the region.
    package func isCovered(by other: LabelLanguage) -> Bool {
        self.language == other.language && self.script == other.script
            || Self.understood[self.language] == other.language
    }

    /// The shortest tag that chooses the same text among some languages; nil if there is none that readers of this language know.
    package func effective(among languages: [LabelLanguage]) -> String? {
        if languages.contains(where: { $0.tag == self.tag }) { return self.tag }
        guard self.nearest(among: languages) != nil else { return nil }
        let same = languages.filter { $0.language == self.language }
        if !self.region.isEmpty, same.contains(where: { $0.region == self.region || $0.region == "419" }) {
            // The longest beginning that is the tag of a text, if it still has the region.
            let found = self.fallbacks.first { text in same.contains { $0.text == text } }
            return found.flatMap { LabelLanguage($0).region == self.region ? $0 : nil } ?? self.text
        }
        let whole = self.script.isEmpty ? self.language : "\(self.language)-\(self.script)"
        return self.script == Self.likelyScript(of: self.language, in: "") ? self.language : whole
    }

    /// Tags that are looked for, the best first.
    private var fallbacks: [String] {
        var texts: [String] = []
        var text = Substring(self.text)
        while text.utf8.count > self.language.utf8.count {
            texts.append(String(text))
            text = text.lastIndex(of: "-").map { text[..<$0] } ?? ""
        }
        if self.language == "es", Self.latinAmerica.contains(self.region) { texts.append("es-419") }
        if !self.script.isEmpty { texts.append("\(self.language)-\(self.script)") }
        let usual = Self.likelyScript(of: self.language, in: "")
        if usual.isEmpty || self.script == usual { texts.append(self.language) }
        return texts
    }

    private static func likelyScript(of language: String, in region: String) -> String {
        guard let scripts = self.scripts[language] else { return "" }
        return scripts.exceptions[region] ?? scripts.usual
    }

    private static let aliases = [
        "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "no": "nb", "sh": "sr-latn", "scc": "sr",
        "scr": "hr", "tl": "fil",
        "cmn": "zh", "arb": "ar", "zsm": "ms", "pes": "fa", "prs": "fa", "ekk": "et", "lvs": "lv", "swh": "sw",
        "khk": "mn",
    ]

    private static let understood = ["nn": "nb", "nb": "nn", "yue": "zh"]

    private static let latinAmerica: Set<String> = [
        "ar", "bo", "br", "bz", "cl", "co", "cr", "cu", "do", "ec", "gt", "hn", "mx", "ni", "pa", "pe", "pr", "py",
        "sv", "us", "uy", "ve",
    ]

    /// The likely scripts of languages that are written in several ones.
    private static let scripts: [String: (usual: String, exceptions: [String: String])] = {
        var scripts: [String: (usual: String, exceptions: [String: String])] = [:]
        for line in Self.scriptTable.split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            var exceptions: [String: String] = [:]
            for part in parts.dropFirst(2) {
                let halves = part.split(separator: ":").map(String.init)
                for region in halves[1].split(separator: ",") { exceptions[String(region)] = halves[0] }
            }
            scripts[parts[0]] = (parts[1], exceptions)
        }
        return scripts
    }()

    /// Language and usual script, then other scripts with the regions where they are.
    private static let scriptTable = """
        az latn arab:iq,ir cyrl:ru
        bs latn
        ha latn arab:cm,sd
        kk cyrl arab:af,cn,ir,mn
        ku latn cyrl:am,az,ge,tm arab:iq,ir,lb
        ky cyrl arab:cn latn:tr
        mn cyrl mong:cn
        ms latn arab:cc
        pa guru arab:pk
        sd arab deva:in
        sr cyrl latn:me,ro,tr
        tg cyrl arab:pk
        ug arab cyrl:kz,mn
        uz latn arab:af cyrl:cn
        yue hant hans:cn
        zh hans hant:au,bn,gb,gf,hk,id,mo,pa,pf,ph,sr,th,tw,us,vn
        """
}
