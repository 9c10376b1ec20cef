/// The digits of a UUID's written form, read eight at a time.
///
/// An archive has millions of digits. A branch on whether one is a letter would be mispredicted, so there is none: the eight bytes of a
/// word are computed at once.
package struct UUIDDigits {
    /// The first sixteen digits.
    package let high: UInt64
    /// The last sixteen digits.
    package let low: UInt64
    /// One bit for each digit, from the first (the highest bit) to the last: whether it is an upper-case letter.
    package let uppercase: UInt32

    /// Reads `8-4-4-4-12` hexadecimal digits in either case; nil for anything else.
    package init?(utf8 text: UnsafeRawBufferPointer) {
        let hyphen = UInt8(ascii: "-")
        guard text.count == FeatureID.textLength,
            text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen
        else { return nil }
        func word(_ offset: Int) -> UInt64 { text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian }
        func half(_ offset: Int) -> UInt64 {
            UInt64(text.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
        }
        let (first, second) = (EightDigits(word(0)), EightDigits(half(9) << 32 | half(14)))
        let (third, fourth) = (EightDigits(half(19) << 32 | half(24)), EightDigits(word(28)))
        guard first.areValid, second.areValid, third.areValid, fourth.areValid else { return nil }
        self.high = first.value << 32 | second.value
        self.low = third.value << 32 | fourth.value
        self.uppercase = first.uppercase << 24 | second.uppercase << 16 | third.uppercase << 8 | fourth.uppercase
    }
}

/// Eight hexadecimal digits in the bytes of a word, the first one in the highest byte. No sum of bytes reaches the next byte.
private struct EightDigits {
    /// The values of the digits, in the lower half of each byte.
    private let values: UInt64
    /// 1 in each byte that is a letter, provided that it is a digit.
    private let letters: UInt64
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    init(_ word: UInt64) {
        self.word = word
        self.letters = word >> 6 & Self.ones  // “A” is 0x41, “a” 0x61, “0” 0x30
        self.values = (word & (Self.ones * 0x0F)) &+ self.letters &* 9
    }

    var areValid: Bool {
        let spelled = self.values &+ Self.ones &* 0x30 &+ self.letters &* 0x27
        let isGreaterThanNine = (self.values &+ Self.ones &* 6) >> 4 & Self.ones
        return spelled == self.word | self.letters << 5 && self.values & (Self.ones * 0x10) == 0
            && isGreaterThanNine == self.letters
    }

    var value: UInt64 {
        var value = (self.values | self.values >> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        return (value | value >> 16) & 0xFFFF_FFFF
    }

    /// A bit for each digit.
    var uppercase: UInt32 {
        let uppercase = self.letters & ~(self.word >> 5)
        return UInt32(truncatingIfNeeded: (uppercase &* 0x0102_0408_1020_4080) >> 56)
    }
}
