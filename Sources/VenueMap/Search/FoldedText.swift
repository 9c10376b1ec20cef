import Foundation

/// The folded form of a text for search: width, case, accents, punctuation, and the difference between hiragana and katakana are
/// removed.
///
/// The rules do not depend on the platform's locale data, so that all devices agree: Unicode compatibility decomposition (which is
/// stable for assigned characters); marks of the combining diacritical mark blocks are removed, Japanese voicing marks are kept;
/// katakana become hiragana; lowercase by Unicode's mapping; some Latin letters without a decomposition are replaced. Letters, marks
/// and digits form words; everything between words becomes one space.
///
/// Only the first 1,000 scalars of a text count: the decomposition takes time in proportion to the square of a run of marks, and no name is
/// longer.
///
/// It is compared by code units, in UTF-8: a text in Thai or Hindi is found by a part that begins within a character.
struct FoldedText: Hashable, Sendable {
    /// UTF-8, normalized by NFC.
    let bytes: [UInt8]
    /// The same without spaces.
    let joined: [UInt8]
    private let wordStarts: [Int32]

    private static let space = UInt8(ascii: " ")
    /// In scalars.
    private static let maximumLength = 1_000

    init(_ text: String) {
        var folded = String.UnicodeScalarView()
        var needsSpace = false
        let text = text.utf8.count <= Self.maximumLength ? text : String(text.unicodeScalars.prefix(Self.maximumLength))
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !Self.isAccent(scalar) {
            guard Self.isPartOfWord(scalar) else {
                needsSpace = !folded.isEmpty
                continue
            }
            if needsSpace { folded.append(" ") }
            needsSpace = false
            folded.append(contentsOf: Self.folded(scalar).unicodeScalars)
        }
        self.init(bytes: Array(String(folded).precomposedStringWithCanonicalMapping.utf8))
    }

    /// - Parameter bytes: A text that is folded already.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        let spaces = bytes.indices.filter { bytes[$0] == Self.space }
        self.wordStarts = bytes.isEmpty ? [] : [0] + spaces.map { Int32($0 + 1) }
        self.joined = spaces.isEmpty ? bytes : bytes.filter { $0 != Self.space }
    }

    var isEmpty: Bool { self.bytes.isEmpty }

    var words: [[UInt8]] { self.bytes.split(separator: Self.space).map(Array.init) }

    /// Whether all bytes are printable ASCII.
    var isASCII: Bool { self.bytes.allSatisfy { (0x20...0x7E).contains($0) } }

    /// The bytes that it takes in memory, roughly.
    var cost: Int {
        96 + self.bytes.count + (self.wordStarts.count > 1 ? self.joined.count : 0) + 4 * self.wordStarts.count
    }

    /// Whether one of the words begins with another one.
    func hasWord(beginningWith word: [UInt8]) -> Bool {
        self.wordStarts.contains { self.bytes.contains(word, at: Int($0)) }
    }

    /// Whether one of the words is equal to another one.
    func hasWord(_ word: [UInt8]) -> Bool {
        self.wordStarts.contains { start in
            let end = Int(start) + word.count
            return self.bytes.contains(word, at: Int(start))
                && (end == self.bytes.count || self.bytes[end] == Self.space)
        }
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    private static func folded(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        // Katakana from small a to small ke, and the iteration marks. Hiragana are 96 code points lower.
        case 0x30A1...0x30F6, 0x30FD...0x30FE:
            Unicode.Scalar(scalar.value - 0x60).map { String($0) } ?? String(scalar)
        case 0x00DF, 0x1E9E: "ss"
        case 0x00C6, 0x00E6: "ae"
        case 0x0152, 0x0153: "oe"
        case 0x00D8, 0x00F8: "o"
        case 0x0110, 0x0111: "d"
        case 0x0141, 0x0142: "l"
        // Dotless i and final sigma.
        case 0x0131: "i"
        case 0x03C2: "σ"
        default: scalar.properties.lowercaseMapping
        }
    }
}

extension [UInt8] {
    /// Whether a text is found at an offset.
    func contains(_ part: [UInt8], at offset: Int) -> Bool {
        guard part.count <= self.count - offset else { return false }
        for index in part.indices where self[offset + index] != part[index] { return false }
        return true
    }

    /// The offset at which a text is found first.
    func firstOffset(of part: [UInt8]) -> Int? {
        guard let first = part.first else { return 0 }
        guard part.count <= self.count else { return nil }
        for offset in 0...(self.count - part.count) where self[offset] == first && self.contains(part, at: offset) {
            return offset
        }
        return nil
    }
}
