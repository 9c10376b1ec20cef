import Foundation

/// The folded form of a text for search: width, case, accents, punctuation, and the difference between hiragana and katakana are
/// removed.
///
/// The rules do not depend on the platform's locale data, so that all devices agree: Unicode compatibility decomposition (which is
/// stable for assigned characters); marks of the combining diacritical mark blocks are removed, Japanese voicing marks are kept;
/// katakana become hiragana; lowercase by Unicode's mapping; some Latin letters without a decomposition are replaced. Letters, marks
/// and digits form words; everything between words becomes one space.
struct FoldedText: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        var folded = String.UnicodeScalarView()
        var needsSpace = false
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !Self.isAccent(scalar) {
            guard Self.isPartOfWord(scalar) else {
                needsSpace = !folded.isEmpty
                continue
            }
            if needsSpace { folded.append(" ") }
            needsSpace = false
            folded.append(contentsOf: Self.folded(scalar).unicodeScalars)
        }
        self.text = String(folded).precomposedStringWithCanonicalMapping
    }

    var words: [Substring] { self.text.split(separator: " ") }

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
