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
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks > self.most { return true }
        }
        return false
    }
}
