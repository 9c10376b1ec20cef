/// A text in parts between which a line may end. Its lines are chosen by the widths of the parts, which many names have in common, so
/// that Pango sets few texts.
struct BreakableText {
    private struct Part {
        let text: Substring
        /// How many characters of the text are before it.
        let offset: Int
        /// The distance of its start from that of the text, if it were one line.
        let start: Double
        /// The same of its end, without the spaces there.
        let end: Double
    }

    private let text: String
    private let language: String?
    private let engine: TextEngine
    private let parts: [Part]

    init(_ text: String, language: String?, by engine: TextEngine) {
        (self.text, self.language, self.engine) = (text, language, engine)
        let breaks = engine.lineBreaks(in: text, language: language)
        let space = text.contains(" ") ? engine.width(of: "a a", language) - 2 * engine.width(of: "a", language) : 0
        var (parts, offset, scalars, start) = ([Part](), 0, 0, 0.0)
        var rest = text[...]
        for (number, index) in text.indices.enumerated() {
            if index > rest.startIndex, scalars < breaks.count, breaks[scalars] { append(upTo: index, number) }
            scalars += text[index].unicodeScalars.count
        }
        append(upTo: text.endIndex, 0)
        self.parts = parts

        func append(upTo end: String.Index, _ next: Int) {
            let part = rest[..<end]
            let width = engine.line(part, language: language)?.width ?? 0
            let spaces = part.reversed().prefix(while: \.isWhitespace).count
            parts.append(Part(text: part, offset: offset, start: start, end: start + width))
            (rest, offset, start) = (rest[end...], next, start + width + Double(spaces) * space)
        }
    }

    /// Two or three lines of which the longest one is as short as possible; nil if there are too few breaks of a kind. Among those, lines
    /// that are about equally long, and long ones first.
    func lines(_ count: Int, _ breaks: LineBreaks) -> [TextEngine.Line]? {
        let permitted = breaks.permitted(in: self.text)
        let starts = self.parts.indices.filter { $0 > 0 && permitted[self.parts[$0].offset] }
        var best: (second: Int, third: Int, cost: (Double, Double))?
        for second in starts {
            for third in count == 3 ? starts : [self.parts.count] where third > second {
                let first = self.width(0..<second)
                let middle = self.width(second..<third)
                let last = self.width(third..<self.parts.count)
                let cost = (max(first, middle, last), first * first + middle * middle + last * last)
                if best.map({ cost <= $0.cost }) ?? true { best = (second, third, cost) }
            }
        }
        guard let best else { return nil }
        let lines = [0..<best.second, best.second..<best.third, best.third..<self.parts.count].prefix(count)
            .compactMap { self.engine.line(self.parts[$0].map(\.text).joined(), language: self.language) }
        return lines.count == count ? lines : nil
    }

    private func width(_ line: Range<Int>) -> Double {
        line.isEmpty ? 0 : self.parts[line.upperBound - 1].end - self.parts[line.lowerBound].start
    }
}
