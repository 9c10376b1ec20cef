internal import CSimdjson
internal import IMDF

extension Tape {
    /// The offset in the document of the first string or key with too many combining marks in a row, or of the last value before it if that
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
                if CombiningMarks.areTooMany(in: self.utf8(of: word)) { return offset }
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
}
