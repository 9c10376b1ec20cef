internal import CSimdjson
internal import IMDF

/// Why and where a JSON document cannot be read.
package struct JSONReadingError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The document has no value.
        case empty
        case notUTF8
        case unclosedString
        /// A character below U+0020 in a string.
        case controlCharacter
        /// A character that is not allowed at this position.
        case unexpected(Character)
        case unexpectedEnd
        case malformedLiteral
        case malformedNumber
        /// The number is beyond the largest double.
        case numberOutOfRange
        case malformedEscape
        case loneSurrogate
        /// Arrays and objects are nested too deeply.
        case tooDeep
        /// Something follows the value.
        case trailingContent
        /// The document, or a feature in it, is too long.
        case tooLong
        /// A string has more combining marks in a row than any language needs.
        case tooManyMarks
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

    /// The position as `line:column`.
    package var lineAndColumn: String { "\(self.line):\(self.column)" }
}

extension JSONReadingError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the document has no value"
        case .notUTF8: "a byte is not UTF-8"
        case .unclosedString: "a string has no closing quotation mark"
        case .controlCharacter: "a string contains a control character, such as a line break"
        case .unexpected(let character): "“\(character)” is not allowed here"
        case .unexpectedEnd: "the document ends too early"
        case .malformedLiteral: "only true, false and null are allowed without quotation marks"
        case .malformedNumber: "a number does not have the syntax of JSON"
        case .numberOutOfRange: "a number is larger than the largest double"
        case .malformedEscape: "an escape sequence is malformed"
        case .loneSurrogate: "an escape is half of a surrogate pair"
        case .tooDeep: "arrays and objects are nested too deeply"
        case .trailingContent: "something follows the end of the document"
        case .tooLong: "the value is too long"
        case .tooManyMarks: "a text has more than \(CombiningMarks.most) combining marks in a row"
        case .outOfMemory: "there is not enough memory"
        }
    }
}

extension JSONReadingError {
    init(_ failure: csimdjson_failure, in document: UnsafeBufferPointer<UInt8>) {
        self.init(Reason(failure, in: document), at: failure.offset, in: document)
    }

    init(_ reason: Reason, at offset: Int, in document: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        for byte in document[..<min(offset, document.count)] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(reason: reason, line: line, column: column)
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
        // One scalar only: combining marks are not part of the problem, and there may be many.
        guard let scalar = text.unicodeScalars.first else { return "\u{FFFD}" }
        return scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : Character(scalar)
    }
}
