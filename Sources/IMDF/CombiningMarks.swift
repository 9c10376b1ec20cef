/// The limit of combining marks in a row in what others send.
package enum CombiningMarks {
    /// That of the Stream-Safe Text Format, which no text of a language exceeds (Unicode Standard Annex 15, section 13).
    package static let most = 30

    /// Whether a text has more than ``most`` combining marks in a row.
    ///
    /// Swift compares strings by their normal forms, in a time that grows with the square of the number of marks in a row: one name or one
    /// field of a request could keep a core busy for seconds.
    package static func areTooMany(in utf8: some Collection<UInt8>) -> Bool {
        // A mark has at least two bytes.
        guard utf8.count > 2 * self.most, utf8.contains(where: { $0 >= 0x80 }) else { return false }
        var marks = 0
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            marks = self.isMark(scalar) ? marks + 1 : 0
            if marks > self.most { return true }
        }
        return false
    }

    /// The same of a JSON document, in the texts of which scalars may be written as `\u` and four digits.
    package static func areTooMany(inJSON utf8: some Collection<UInt8>) -> Bool {
        let backslash = UInt8(ascii: "\\")
        guard utf8.contains(backslash) else { return self.areTooMany(in: utf8) }
        var (rest, text, units) = (utf8[...], [UInt8](), [UInt16]())
        text.reserveCapacity(utf8.count)
        while let byte = rest.popFirst() {
            if byte == backslash, let escaped = rest.popFirst(), escaped == UInt8(ascii: "u") {
                units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(4)
            } else {
                text += String(decoding: units, as: UTF16.self).utf8
                text.append(byte)
                units = []
            }
        }
        return self.areTooMany(in: text + String(decoding: units, as: UTF16.self).utf8)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        // Halfwidth voiced sound marks become combining marks where texts are compared by compatibility, as searches do.
        return scalar.properties.canonicalCombiningClass != .notReordered || (0xFF9E...0xFF9F).contains(scalar.value)
    }
}
