import IMDF

/// A text broken into lines, at the reference size of ``TextEngine``.
package struct LabelLayout: Hashable, Sendable {
    package let lines: [TextEngine.Line]
    let language: String?

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

    /// The part of a name that labels show.
    static func excerpt(of name: String) -> String {
        name.excerpt(characters: self.maximumCharacters, bytes: 400)
    }

    /// Ways to set a text, each with another number of lines.
    static func alternatives(for text: String, language: String?, by engine: TextEngine) -> [LabelLayout] {
        let whole = engine.lines(of: text, language: language)
        guard let width = whole.first?.width, whole.count == 1 else { return [] }
        var layouts = [LabelLayout(lines: whole, language: language)]
        for count in 2...3 where text.count >= 2 * count {
            guard let lines = self.lines(of: text, count, share: width / Double(count), language, engine) else {
                continue
            }
            layouts.append(LabelLayout(lines: lines, language: language))
        }
        return layouts
    }

    /// A number of lines that are about equally long, broken between words if that is possible.
    ///
    /// - Parameter share: The width of a line if all had the same.
    private static func lines(
        of text: String, _ count: Int, share: Double, _ language: String?, _ engine: TextEngine
    ) -> [TextEngine.Line]? {
        // Lines are never of equal length, so a little more than the equal share is needed.
        let factors = [1.05, 1.25, 1.5]
        let isEastAsian = LineBreaks.betweenWords.marked(text) != text
        // The lines of a short text may be broken between words, and nowhere else.
        for breaks in LineBreaks.allCases where breaks == .anywhere ? text.count >= 3 * count : isEastAsian {
            for factor in factors {
                let lines = engine.lines(of: text, language: language, wrapWidth: share * factor, breaks: breaks)
                guard lines.count == count, lines.allSatisfy(\.hasWord) else { continue }
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
