import IMDF
import Testing

@Suite struct LabelsTests {
    private static let cafe: JSONValue = ["ja": "カフェ", "en-GB": "Café", "zh-Hans": "咖啡馆", "zh-Hant": "咖啡館", "fr": " "]

    @Test(arguments: [
        (["ja"], "カフェ"), (["JA"], "カフェ"), (["ja-JP"], "カフェ"), (["en"], "Café"), (["en-US"], "Café"),
        (["de", "ja-JP-x-kana"], "カフェ"), (["zh-Hant-TW"], "咖啡館"), (["zh"], "咖啡馆"), (["zh-Latn"], "咖啡馆"),
        (["fr", "zh-Hans"], "咖啡馆"), (["de"], "カフェ"), ([], "カフェ"), (["", "-", "e"], "カフェ"),
    ])
    func `labels: the nearest preferred language is chosen, then the archive's language`(
        languages: [String], text: String
    ) throws {
        let labels = try #require(Labels(Self.cafe))
        #expect(labels.text(for: languages, archiveLanguage: "ja-JP") == text)
    }

    @Test func `labels: without a matching language the first tag is chosen`() throws {
        let labels = try #require(Labels(Self.cafe))
        #expect(labels.text(for: ["de"], archiveLanguage: "it") == "Café")
        #expect(labels.text() == "Café")
    }

    @Test func `labels: every tag is read once at most, however many languages are wanted`() throws {
        let tags = (100..<1_100).map { "x\($0)" } + ["zh-Hant"]
        let labels = try #require(
            Labels(.object(JSONObject(tags.map { JSONObject.Member(key: $0, value: .string("in \($0)")) }))))
        for (languages, text) in [
            (["de", "fr", "it", "es", "pt"], "in x100"), (["de", "fr", "zh-TW"], "in zh-Hant"), ([], "in x100"),
        ] as [([String], String)] {
            var count = 0
            let found = labels.text(for: languages, archiveLanguage: "ja") {
                count += 1
                return LabelLanguage($0)
            }
            #expect(found == text && count <= tags.count + languages.count + 1, "\(languages): \(count)")
            #expect(labels.text(for: languages, archiveLanguage: "ja") == text)
        }
        // A tag that a text has is found without reading any.
        let exact = labels.text(for: ["X500"], archiveLanguage: nil) {
            Issue.record("\($0) was read")
            return LabelLanguage($0)
        }
        #expect(exact == "in x500")
    }

    @Test func `labels: a plain string is a text without a language`() throws {
        let labels = try #require(Labels("Café"))
        #expect(labels.text(for: ["ja"], archiveLanguage: "en") == "Café")
    }

    @Test(arguments: [nil, JSONValue.null, "", " \n\u{3000}", [:], ["en": ""], ["en": nil], ["en": 7], 7, ["Café"]])
    func `labels: a value without text is nil`(value: JSONValue?) {
        #expect(Labels(value) == nil)
    }

    @Test func `labels: every text is listed once`() {
        #expect(Labels(["en": "Bar", "de": "Bar", "fr": "Le bar"])?.texts == ["Bar", "Le bar"])
    }
}
