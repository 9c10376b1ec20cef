internal import CSimdjson

/// Why a text is no JSON that can be read, and where.
package struct JSONReadingError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// There is no value.
        case empty
        case notUTF8
        case unclosedString
        /// A character below U+0020 in a string.
        case controlCharacter
        /// A character that cannot stand there.
        case unexpected(Character)
        case unexpectedEnd
        case malformedLiteral
        case malformedNumber
        /// The number is beyond the largest double.
        case numberOutOfRange
        case malformedEscape
        case loneSurrogate
        /// More arrays and objects stand in each other than may.
        case tooDeep
        /// Something follows the value.
        case trailingContent
        /// The text, or a feature in it, is longer than it may be.
        case tooLong
        case outOfMemory
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int
    /// Counted in characters (Unicode scalars) from 1.
    package let column: Int
}

extension JSONReadingError: CustomStringConvertible {
    package var description: String { "line \(self.line), column \(self.column): \(self.reason)" }

    /// The place as `line:column`.
    package var place: String { "\(self.line):\(self.column)" }
}

extension JSONReadingError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "there is no value"
        case .notUTF8: "a byte is not UTF-8"
        case .unclosedString: "a string has no closing quotation mark"
        case .controlCharacter: "a string has a control character in it, such as a line break"
        case .unexpected(let character): "“\(character)” cannot stand here"
        case .unexpectedEnd: "the text ends too early"
        case .malformedLiteral: "only true, false and null may stand here without quotation marks"
        case .malformedNumber: "a number is not written as JSON numbers are"
        case .numberOutOfRange: "a number is larger than a double can be"
        case .malformedEscape: "a backslash is followed by something that is no escape"
        case .loneSurrogate: "an escape is half of a surrogate pair"
        case .tooDeep: "too many arrays and objects stand in each other"
        case .trailingContent: "something follows the end of the document"
        case .tooLong: "the value is too long"
        case .outOfMemory: "there is not enough memory"
        }
    }
}

extension JSONReadingError {
    init(_ failure: csimdjson_failure, in document: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        for byte in document[..<min(failure.offset, document.count)] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(reason: Reason(failure, in: document), line: line, column: column)
    }
}

extension JSONReadingError.Reason {
    fileprivate init(_ failure: csimdjson_failure, in document: UnsafeBufferPointer<UInt8>) {
        self =
            switch failure.status {
            case .fine, .out_of_memory: .outOfMemory
            case .empty: .empty
            case .invalid_utf8: .notUTF8
            case .unclosed_string: .unclosedString
            case .control_character: .controlCharacter
            case .unexpected_character: .unexpected(Self.character(at: failure.offset, in: document))
            case .unexpected_end: .unexpectedEnd
            case .malformed_literal: .malformedLiteral
            case .malformed_number: .malformedNumber
            case .number_out_of_range: .numberOutOfRange
            case .malformed_escape: .malformedEscape
            case .lone_surrogate: .loneSurrogate
            case .too_deep: .tooDeep
            case .trailing_content: .trailingContent
            case .document_too_long, .value_too_long: .tooLong
            }
    }

    private static func character(at offset: Int, in document: UnsafeBufferPointer<UInt8>) -> Character {
        guard offset < document.count else { return "\u{FFFD}" }
        let end = min(offset + 4, document.count)
        let text = String(decoding: UnsafeBufferPointer(rebasing: document[offset..<end]), as: UTF8.self)
        // One scalar: what is shown has to be short, and marks that combine with it are none of the matter.
        guard let scalar = text.unicodeScalars.first else { return "\u{FFFD}" }
        return scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : Character(scalar)
    }
}
