import IMDF
import Testing

struct ExcerptTests {
    private static let family = "👨‍👩‍👧‍👦"

    @Test func `excerpt: a short text is unchanged`() {
        for text in ["", "Café", Self.family, String(repeating: "あ", count: 10)] {
            #expect(text.excerpt(characters: 10, bytes: 100) == text)
        }
    }

    @Test func `excerpt: the number of characters is bounded, including the ellipsis`() {
        let excerpt = String(repeating: "x", count: 11).excerpt(characters: 10, bytes: 100)
        #expect(excerpt == String(repeating: "x", count: 9) + "…")
        let families = String(repeating: Self.family, count: 300).excerpt(characters: 200, bytes: 100_000)
        #expect(families == String(repeating: Self.family, count: 199) + "…")
    }

    @Test func `excerpt: the number of bytes is bounded, and no character is split`() {
        // 25 bytes each.
        #expect(String(repeating: Self.family, count: 9).excerpt(characters: 100, bytes: 60) == Self.family + "…")
        // One character that is as long as its author liked.
        let zalgo = "Ze" + String(repeating: "\u{0301}", count: 100_000) + "bra"
        #expect(zalgo.excerpt(characters: 100, bytes: 60) == "…")
        #expect(("ab" + zalgo).excerpt(characters: 100, bytes: 60) == "ab…")
    }
}
