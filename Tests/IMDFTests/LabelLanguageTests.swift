import IMDF
import SampleVenue
import Testing

@Suite struct LabelLanguageTests {
    private static let tags = [
        "zh", "zh-TW", "zh-HK", "zh-Hant", "zh-Hans", "zh-Hant-HK", "zh-MO", "sr", "sr-Latn", "sr-ME", "es", "es-419",
        "es-MX", "es-US", "es-AR", "en", "en-US", "en-GB", "en-US-x-a", "nb", "nn", "no", "iw", "he", "yue", "yue-CN",
        "ja", "ja-Latn", "ja-Jpan-JP", "pt-BR", "pt",
    ]

    /// A level keeps what it draws by the effective language, for which its features have any of its tags.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `label language: the effective one chooses the texts that the whole tag chooses`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...6, using: &random)
            let level = Set((0..<count).compactMap { _ in Self.tags.randomElement(using: &random)?.lowercased() })
                .sorted()
            let names = level.filter { _ in Bool.random(using: &random) }
            guard let archive = names.last, let wanted = Self.tags.randomElement(using: &random) else { continue }
            let labels = try #require(
                Labels(.object(JSONObject(names.map { .init(key: $0, value: .string($0)) }))))
            let effective = LabelLanguage(wanted).effective(among: level.map { LabelLanguage($0) })
            #expect(
                labels.text(for: [wanted], archiveLanguage: archive)
                    == labels.text(for: effective.map { [$0] } ?? [], archiveLanguage: archive),
                "\(wanted) among \(level) for \(names)")
        }
    }

    @Test(arguments: ["", "-", "--", "1", "x-y", "zh-cmn", "en-\u{0}", String(repeating: "a-", count: 5_000)])
    func `label language: any text is read`(tag: String) {
        let language = LabelLanguage(tag)
        #expect(language.nearest(among: []) == nil && language.effective(among: []) == nil)
    }

    @Test(
        arguments: [
            ("ja-JP", ["en", "ja"], "ja"), ("zh-TW", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh-Hans"], nil),
            ("no", ["nb"], "nb"), ("iw", ["he"], "he"), ("nn", ["nb"], nil), ("en-GB", ["en-US", "en"], "en"),
            ("sr", ["sr-Latn", "sr-Cyrl-RS"], "sr-Cyrl-RS"), ("fr", [], nil),
        ] as [(String, [String], String?)])
    func `text of a language is changed only in that language and script`(
        language: String, tags: [String], own: String?
    ) {
        let index = LabelLanguage(language).ownIndex(among: tags.map { LabelLanguage($0) })
        #expect(index.map { tags[$0] } == own)
    }
}
