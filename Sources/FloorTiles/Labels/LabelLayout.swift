import IMDF

/// A text broken into lines, at the reference size of ``TextEngine``.
package struct LabelLayout: Hashable, Sendable {
    package let lines: [TextEngine.Line]
    let language: String?
    /// Whether a line may end inside a word, which is hard to read.
    let breaksWords: Bool

    /// The distance of baselines, in sizes of the text.
    static let lineHeight = 1.2
    /// The distance of the first baseline from the top, in sizes of the text. Glyphs of East Asian fonts are centred in their line.
    static let firstBaseline = 0.98
    /// The space around the text for its halo, in pixels.
    static let padding = 2.0
    /// The most characters of a name that a label shows.
    private static let maximumCharacters = 48

    /// In pixels, without padding.
    func width(at size: Double) -> Double {
        (self.lines.map(\.width).max() ?? 0) * size / TextEngine.referenceSize
    }

    func height(at size: Double) -> Double { Double(self.lines.count) * Self.lineHeight * size }

    /// Width by height with a margin on each side, at a size of the text. The smaller the text, the more the margin counts.
    func aspect(at size: Double, margin: Double) -> Double {
        (self.width(at: size) + 2 * margin) / (self.height(at: size) + 2 * margin)
    }

    /// How well it can be read at a size, in comparison with other layouts of the text.
    func value(at size: Double) -> Double { self.breaksWords ? 0.7 * size : size }

    /// The part of a name that labels show.
    static func excerpt(of name: String) -> String {
        name.excerpt(characters: self.maximumCharacters, bytes: 400)
    }

    /// Ways to set a text, with other numbers of lines or other breaks.
    static func alternatives(for text: String, language: String?, by engine: TextEngine) -> [LabelLayout] {
        guard let whole = engine.line(text, language: language) else { return [] }
        var layouts = [LabelLayout(lines: [whole], language: language, breaksWords: false)]
        guard text.count >= 4 else { return layouts }
        let breakable = BreakableText(text, language: language, by: engine)
        let isEastAsian = LineBreaks.betweenWords.permitted(in: text).contains(false)
        for count in 2...3 where text.count >= 2 * count {
            // A line that is much longer than the others is not worth another one.
            var limit = 1.5 * whole.width / Double(count)
            // The lines of a short text may be broken between words, and nowhere else.
            let all: [LineBreaks] = text.count >= 3 * count ? [.anywhere] : []
            for kinds in isEastAsian ? [[.betweenWords], [.outsideOfKana] + all] : [all] {
                let lines = kinds.lazy.compactMap { breakable.lines(count, $0) }
                    .first { lines in lines.allSatisfy { $0.hasWord && $0.width < limit } }
                guard let lines else { continue }
                limit = lines.map(\.width).max() ?? 0
                let breaksWords = isEastAsian && kinds != [.betweenWords]
                layouts.append(LabelLayout(lines: lines, language: language, breaksWords: breaksWords))
            }
        }
        return layouts
    }
}

extension TextEngine.Line {
    /// Whether it is more than punctuation.
    fileprivate var hasWord: Bool { self.text.contains { $0.isLetter || $0.isNumber || $0.isSymbol } }
}
