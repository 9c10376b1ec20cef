import IMDF
import Testing

@Suite struct LabelsTests {
    private static let cafe: JSONValue = ["ja": "カフェ", "en-GB": "Café", "zh-Hans": "咖啡馆", "zh-Hant": "咖啡館", "fr": " "]

    @Test(arguments: [
        (["ja"], "カフェ"), (["JA"], "カフェ"), (["ja-JP"], "カフェ"), (["en"], "Café"), (["en-US"], "Café"),
        (["de", "ja-JP-x-kana"], "カフェ"), (["zh-Hant-TW"], "咖啡館"), (["zh"], "咖啡馆"), (["zh-Latn"], "咖啡馆"),
        (["fr", "zh-Hans"], "咖啡馆"), (["de"], "カフェ"), ([], "カフェ"), (["", "-", "e"], "カフェ"),
    ])
    func `a reader gets the nearest language, then the archive's`(languages: [String], text: String) throws {
        let labels = try #require(Labels(Self.cafe))
        #expect(labels.text(for: languages, archiveLanguage: "ja-JP") == text)
    }

    @Test func `without any language that fits the first tag decides`() throws {
        let labels = try #require(Labels(Self.cafe))
        #expect(labels.text(for: ["de"], archiveLanguage: "it") == "Café")
        #expect(labels.text() == "Café")
    }

    @Test func `a plain string is a text in no language`() throws {
        let labels = try #require(Labels("Café"))
        #expect(labels.text(for: ["ja"], archiveLanguage: "en") == "Café")
    }

    @Test(arguments: [nil, JSONValue.null, "", " \n\u{3000}", [:], ["en": ""], ["en": nil], ["en": 7], 7, ["Café"]])
    func `what holds no text is nothing`(value: JSONValue?) {
        #expect(Labels(value) == nil)
    }

    @Test func `every text is told once`() {
        #expect(Labels(["en": "Bar", "de": "Bar", "fr": "Le bar"])?.texts == ["Bar", "Le bar"])
    }
}
