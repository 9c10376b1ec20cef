extension UnsafeRawBufferPointer {
    /// The text without ASCII white space at its ends.
    func trimmingWhiteSpace() -> UnsafeRawBufferPointer {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = self.firstIndex(where: { !isSpace($0) }), let last = self.lastIndex(where: { !isSpace($0) })
        else { return UnsafeRawBufferPointer(rebasing: self[0..<0]) }
        return UnsafeRawBufferPointer(rebasing: self[first...last])
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
