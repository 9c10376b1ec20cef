internal import IMDF

/// An id together with the case of its digits.
struct WrittenID {
    let id: FeatureID
    /// One bit for each of the 32 digits, from the first (the highest bit) to the last: whether it is an upper-case letter.
    let uppercaseDigits: UInt32

    /// Reads `8-4-4-4-12` hexadecimal digits; nil for anything else.
    init?(utf8: UnsafeRawBufferPointer) {
        guard let digits = UUIDDigits(utf8: utf8) else { return nil }
        self.id = FeatureID(high: digits.high, low: digits.low)
        self.uppercaseDigits = digits.uppercase
    }

    /// The offsets of the digits in the text.
    static let digitOffsets = [0..<8, 9..<13, 14..<18, 19..<23, 24..<36].flatMap { $0 }
}
