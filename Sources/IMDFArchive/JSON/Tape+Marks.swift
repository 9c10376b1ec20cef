internal import CSimdjson

extension Tape {
    /// The limit of combining marks in a row: that of the Stream-Safe Text Format, which no text of a language exceeds (Unicode Standard
    /// Annex 15, section 13). Swift compares strings by their normal forms, in a time that grows with the square of the number of marks
    /// in a row: without a limit, one name would keep a core busy for minutes.
    static let mostMarks = 30

    /// The offset in the document of the first string or key with more combining marks in a row, or of the last value before it if that
    /// is written with escapes; nil if there is none.
    ///
    /// - Parameter count: the number of words.
    func offsetOfTooManyMarks(in count: Int) -> Int? {
        var (index, offset) = (0, 0)
        while index < count {
            let word = self.words[index]
            switch Self.tag(of: word) {
            case .plain_string, .unescaped_string:
                if Self.tag(of: word) == .plain_string { offset = Self.offset(of: word) }
                if Self.hasTooManyMarks(self.utf8(of: word)) { return offset }
                index += 1
            case .decimal:
                offset = Self.offset(of: word)
                index += 1
            case .double: index += 2
            default: index += 1
            }
        }
        return nil
    }

    private static func hasTooManyMarks(_ text: UnsafeRawBufferPointer) -> Bool {
        // A mark has at least two bytes.
        guard text.count > 2 * self.mostMarks, text.contains(where: { $0 >= 0x80 }) else { return false }
        var marks = 0
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks > self.mostMarks { return true }
        }
        return false
    }
}
