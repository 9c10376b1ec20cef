/// A text whose lines can end at its spaces only, like most names in Latin letters. Its lines are found by the widths of its words,
/// which many names have in common; other texts are wrapped by Pango once for each width that is tried.
struct SpacedWords {
    private let words: [Substring]

    /// Nil if a line may end elsewhere, such as after a hyphen or between Chinese characters.
    init?(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case " ", "'", "\u{2019}", "&", ".", ",", "(", ")": true
            default: scalar.value < 0x250 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            }
        }
        guard isPlain else { return nil }
        self.words = text.split(separator: " ")
    }

    /// A number of lines of which the longest one is as short as possible; nil if it is much longer than the others.
    ///
    /// - Parameter longest: How long a line may be.
    func lines(_ count: Int, longest: Double, language: String?, by engine: TextEngine) -> [TextEngine.Line]? {
        guard self.words.count >= count else { return nil }
        let space = engine.width(of: "a a", language) - 2 * engine.width(of: "a", language)
        // The distance from the start of the text to that of each word.
        var starts = [0.0]
        for word in self.words { starts.append(starts.last! + engine.width(of: String(word), language) + space) }
        let width = { (range: Range<Int>) in starts[range.upperBound] - starts[range.lowerBound] - space }
        var best: (ranges: [Range<Int>], width: Double)?
        for ranges in Self.partitions(of: self.words.count, into: count) {
            let widest = ranges.map(width).max() ?? 0
            if widest < best?.width ?? .infinity { best = (ranges, widest) }
        }
        let lines = best?.ranges.map { range in
            let text = self.words[range].joined(separator: " ")
            return TextEngine.Line(text: text, width: engine.width(of: text, language))
        }
        return lines.flatMap { lines in lines.allSatisfy { $0.width <= longest } ? lines : nil }
    }

    /// The ways to divide a row of words into two or three lines.
    private static func partitions(of words: Int, into count: Int) -> [[Range<Int>]] {
        let ends = 1..<words
        guard count == 3 else { return ends.map { [0..<$0, $0..<words] } }
        return ends.flatMap { first in (first + 1..<words).map { [0..<first, first..<$0, $0..<words] } }
    }
}
