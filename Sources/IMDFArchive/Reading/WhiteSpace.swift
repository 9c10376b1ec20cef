extension UnsafeRawBufferPointer {
    /// The UTF-8 text without white space at its ends, of Unicode too: ids are copied out of tables and pages.
    func trimmingWhiteSpace() -> UnsafeRawBufferPointer {
        func isASCIISpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        func canBegin(_ byte: UInt8) -> Bool { byte < 0x80 && !isASCIISpace(byte) }
        guard let first = self.first, let last = self.last else { return self }
        if canBegin(first), canBegin(last) { return self }
        let text = Substring(decoding: self, as: UTF8.self).unicodeScalars
        let start = text.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        guard start < self.count else { return UnsafeRawBufferPointer(rebasing: self[0..<0]) }
        let end = text.reversed().prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        return UnsafeRawBufferPointer(rebasing: self[start..<self.count - end])
    }
}

extension String {
    /// The text with escapes in place of control characters and of white space other than spaces, so that a message shows them.
    func showingWhiteSpace() -> String {
        self.unicodeScalars.map { scalar in
            let isHidden =
                scalar != " " && (scalar.properties.isWhitespace || scalar.properties.generalCategory == .control)
            return isHidden ? scalar.escaped(asASCII: true) : String(scalar)
        }.joined()
    }
}
