internal import IMDF

/// An id with the letters that it was spelled with.
struct SpelledID {
    let id: FeatureID
    /// A bit for each of the 32 digits, from the first (the highest bit) to the last: it is a capital letter.
    let capitals: UInt32

    /// Reads `8-4-4-4-12` hexadecimal digits; nil for anything else.
    ///
    /// ``FeatureID/init(utf8:)`` reads the same and forgets the capitals. Whether a digit is a letter cannot be foreseen, and
    /// an archive has millions of digits, so this does without branches.
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
        guard digits.areAll else { return nil }
        self.id = FeatureID(high: high, low: digits.value)
        self.capitals = digits.capitals
    }

    /// Where the digits stand in the text.
    static let places = [0..<8, 9..<13, 14..<18, 19..<23, 24..<36].flatMap { $0 }

    private struct Digits {
        var value: UInt64 = 0
        var capitals: UInt32 = 0
        var areAll = true

        @inline(__always)
        mutating func read(_ text: UnsafePointer<UInt8>, _ count: Int) {
            for offset in 0..<count {
                let byte = text[offset]
                let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 6
                let isNumeral = byte &- UInt8(ascii: "0") < 10
                self.areAll = self.areAll && (isLetter != isNumeral)
                self.value = self.value &<< 4 | UInt64(byte & 15 &+ byte &>> 6 &* 9)
                self.capitals = self.capitals &<< 1 | UInt32(isLetter && byte & 0x20 == 0 ? 1 : 0)
            }
        }
    }
}
