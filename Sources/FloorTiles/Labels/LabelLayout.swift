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
        guard let whole = engine.lines(1, of: text, language: language), let width = whole.first?.width else {
            return []
        }
        let isEastAsian = LineBreaks.betweenWords.marked(text) != text
        var layouts = [LabelLayout(lines: whole, language: language, breaksWords: false)]
        for count in 2...3 where text.count >= 2 * count {
            let share = width / Double(count)
            var longest = Double.infinity
            // The lines of a short text may be broken between words, and nowhere else.
            let all: [LineBreaks] = text.count >= 3 * count ? [.anywhere] : []
            for kinds in isEastAsian ? [[.betweenWords], [.outsideOfKana] + all] : [all] {
                guard
                    let lines = self.lines(of: text, count, share: share, kinds, shorterThan: longest, language, engine)
                else { continue }
                longest = lines.map(\.width).max() ?? 0
                let breaksWords = isEastAsian && kinds != [.betweenWords]
                layouts.append(LabelLayout(lines: lines, language: language, breaksWords: breaksWords))
            }
        }
        return layouts
    }

    /// A number of lines that are about equally long, with the first kind of breaks that permits it.
    ///
    /// - Parameters:
    ///   - share: The width of a line if all had the same.
    ///   - limit: All lines have to be shorter.
    private static func lines(
        of text: String, _ count: Int, share: Double, _ kinds: [LineBreaks], shorterThan limit: Double,
        _ language: String?, _ engine: TextEngine
    ) -> [TextEngine.Line]? {
        // Lines are never of equal length, so a little more than the equal share is needed.
        let factors = [1.05, 1.25, 1.5]
        if let words = SpacedWords(text) {
            let lines = words.lines(count, longest: share * 1.5, language: language, by: engine)
            return lines.flatMap { lines in lines.allSatisfy(\.hasWord) ? lines : nil }
        }
        for breaks in kinds {
            for factor in factors {
                guard
                    let lines = engine.lines(
                        count, of: text, language: language, wrapWidth: share * factor, breaks: breaks),
                    lines.allSatisfy({ $0.hasWord && $0.width < limit })
                else { continue }
                // A word that is too long is not broken: then another kind of break gives shorter lines.
                let isBalanced = lines.allSatisfy { $0.width <= share * 1.5 && $0.text.count > 1 }
                if breaks == .anywhere || isBalanced { return lines }
            }
        }
        return nil
    }
}

extension TextEngine.Line {
    /// Whether it is more than punctuation.
    fileprivate var hasWord: Bool { self.text.contains { $0.isLetter || $0.isNumber || $0.isSymbol } }
}
