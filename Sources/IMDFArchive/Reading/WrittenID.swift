internal import IMDF

/// An id together with the case of its digits.
struct WrittenID {
    let id: FeatureID
    /// One bit for each of the 32 digits, from the first (the highest bit) to the last: whether it is an upper-case letter.
    let uppercaseDigits: UInt32

    /// Reads `8-4-4-4-12` hexadecimal digits; nil for anything else.
    ///
    /// ``FeatureID/init(utf8:)`` reads the same without the case. An archive has millions of digits, and branches on whether a
    /// digit is a letter would be mispredicted, so this has none.
    init?(utf8: UnsafeRawBufferPointer) {
        guard utf8.count == FeatureID.textLength, let start = utf8.baseAddress else { return nil }
        let text = start.assumingMemoryBound(to: UInt8.self)
        let hyphen = UInt8(ascii: "-")
        guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else { return nil }
        var digits = Digits()
        digits.read(text, 8)
        digits.read(text + 9, 4)
        digits.read(text + 14, 4)
        let high = digits.value
        digits.read(text + 19, 4)
        digits.read(text + 24, 12)
        guard digits.areValid else { return nil }
        self.id = FeatureID(high: high, low: digits.value)
        self.uppercaseDigits = digits.uppercase
    }

    /// The offsets of the digits in the text.
    static let digitOffsets = [0..<8, 9..<13, 14..<18, 19..<23, 24..<36].flatMap { $0 }

    private struct Digits {
        var value: UInt64 = 0
        var uppercase: UInt32 = 0
        var areValid = true

        @inline(__always)
        mutating func read(_ text: UnsafePointer<UInt8>, _ count: Int) {
            for offset in 0..<count {
                let byte = text[offset]
                let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 6
                let isNumeral = byte &- UInt8(ascii: "0") < 10
                self.areValid = self.areValid && (isLetter != isNumeral)
                self.value = self.value &<< 4 | UInt64(byte & 15 &+ byte &>> 6 &* 9)
                self.uppercase = self.uppercase &<< 1 | UInt32(isLetter && byte & 0x20 == 0 ? 1 : 0)
            }
        }
    }
}
