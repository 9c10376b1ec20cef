import Foundation
import IMDF

/// The id and type of a feature body, found without parsing the rest.
///
/// A body is one line of canonical JSON, so there is no white space between tokens. Members may be in any order. Their content is
/// skipped and not checked: the level's digest proves that it equals the server's.
struct FeatureLine {
    let id: FeatureID
    /// The range of the value of `feature_type` in the line, without its quotation marks.
    let type: Range<Int>

    /// Nil unless the line is an object with a UUID as `id` and a string as `feature_type`.
    init?(_ line: UnsafeRawBufferPointer) {
        var scanner = Scanner(line: line)
        var (id, type): (Range<Int>?, Range<Int>?)
        guard scanner.take("{") else { return nil }
        repeat {
            guard let key = scanner.string(), scanner.take(":") else { return nil }
            if scanner.isAtString {
                guard let value = scanner.string() else { return nil }
                if scanner.text(key, is: "id") { id = value }
                if scanner.text(key, is: "feature_type") { type = value }
            } else {
                guard scanner.skipValue() else { return nil }
            }
        } while scanner.take(",")
        guard scanner.take("}"), scanner.isAtEnd, let id, let type,
            let id = FeatureID(utf8: UnsafeRawBufferPointer(rebasing: line[id]))
        else { return nil }
        self.id = id
        self.type = type
    }

    /// The text between the quotation marks of a JSON string.
    ///
    /// - Throws: ``SyncError/malformed(_:)`` if it is none.
    static func unescaped(_ text: some Sequence<UInt8>) throws -> String {
        guard let value = try? JSONDecoder().decode(String.self, from: Data("\"".utf8) + Data(text) + Data("\"".utf8))
        else { throw SyncError.malformed("a feature_type that is not a JSON string") }
        return value
    }

    /// The text between the quotation marks of a JSON string. Only the type of an IMDF extension can contain an escape, and almost none does.
    static func text(_ text: some Sequence<UInt8>) throws -> String {
        try text.contains(UInt8(ascii: "\\")) ? Self.unescaped(text) : String(decoding: Array(text), as: UTF8.self)
    }

    private struct Scanner {
        let line: UnsafeRawBufferPointer
        var offset = 0

        var isAtEnd: Bool { self.offset == self.line.count }

        var isAtString: Bool { self.offset < self.line.count && self.line[self.offset] == UInt8(ascii: "\"") }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard self.offset < self.line.count, self.line[self.offset] == UInt8(ascii: character) else { return false }
            self.offset += 1
            return true
        }

        func text(_ range: Range<Int>, is name: StaticString) -> Bool {
            range.count == name.utf8CodeUnitCount
                && memcmp(self.line.baseAddress! + range.lowerBound, name.utf8Start, range.count) == 0
        }

        /// The range between the quotation marks; nil if there is no complete string here.
        mutating func string() -> Range<Int>? {
            guard self.isAtString else { return nil }
            self.offset += 1
            let start = self.offset
            while self.skip(to: { $0.matches("\"") | $0.matches("\\") }) {
                if self.line[self.offset] == UInt8(ascii: "\"") {
                    self.offset += 1
                    return start..<self.offset - 1
                }
                self.offset += self.line[self.offset] == UInt8(ascii: "\\") ? 2 : 1
            }
            return nil
        }

        /// Skips an object, an array, a number or a literal.
        mutating func skipValue() -> Bool {
            var depth = 0
            let start = self.offset
            while depth == 0 ? !self.isAtEnd : self.skip(to: { $0.matches("\"") | $0.matchesBrackets }) {
                switch self.line[self.offset] {
                case UInt8(ascii: "\""):
                    guard self.string() != nil else { return false }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard depth > 0 else { return self.offset > start }
                    depth -= 1
                case UInt8(ascii: ","):
                    if depth == 0 { return self.offset > start }
                default: break
                }
                self.offset += 1
            }
            return false
        }

        /// Skips bytes that do not match, eight at a time, as long as there are eight. So the next byte may be one that does not match.
        ///
        /// - Returns: Whether there is a next byte.
        private mutating func skip(to matches: (EightBytes) -> UInt64) -> Bool {
            while self.offset + 8 <= self.line.count {
                let bytes = EightBytes(self.line.loadUnaligned(fromByteOffset: self.offset, as: UInt64.self))
                let found = matches(bytes)
                guard found == 0 else {
                    self.offset += found.trailingZeroBitCount / 8
                    return true
                }
                self.offset += 8
            }
            return self.offset < self.line.count
        }
    }
}

/// Eight bytes of a text, which are compared at once. Of the bits that a comparison returns, the lowest one is that of the first byte
/// that matches; those above it mean nothing.
private struct EightBytes {
    /// The first byte is the lowest.
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    init(_ bytes: UInt64) {
        self.word = bytes.littleEndian
    }

    func matches(_ character: Unicode.Scalar) -> UInt64 {
        Self.zeros(of: self.word ^ Self.ones * UInt64(UInt8(ascii: character)))
    }

    /// Brackets of either kind, and a few letters.
    var matchesBrackets: UInt64 { Self.zeros(of: (self.word | Self.ones * 0x26) ^ Self.ones * 0x7F) }

    private static func zeros(of word: UInt64) -> UInt64 { (word &- Self.ones) & ~word & Self.ones << 7 }
}
