import Foundation
import IMDF

/// What a replica has to know of a body, found without reading the rest of it into anything.
///
/// A body is one line of canonical JSON, so there is no white space between its parts. Members may come in any order. What stands in
/// them is only passed over: that it is what the server has is proved by the digest.
struct FeatureLine {
    let id: FeatureID
    /// Where the text of `feature_type` stands in the line, without its quotation marks.
    let type: Range<Int>

    /// Nil for anything but an object with a UUID as its `id` and a string as its `feature_type`.
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

    private struct Scanner {
        let line: UnsafeRawBufferPointer
        var place = 0

        var isAtEnd: Bool { self.place == self.line.count }

        var isAtString: Bool { self.place < self.line.count && self.line[self.place] == UInt8(ascii: "\"") }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard self.place < self.line.count, self.line[self.place] == UInt8(ascii: character) else { return false }
            self.place += 1
            return true
        }

        func text(_ range: Range<Int>, is name: StaticString) -> Bool {
            range.count == name.utf8CodeUnitCount
                && memcmp(self.line.baseAddress! + range.lowerBound, name.utf8Start, range.count) == 0
        }

        /// What stands between the quotation marks; nil when there are none.
        mutating func string() -> Range<Int>? {
            guard self.isAtString else { return nil }
            let start = self.place + 1
            var place = start
            while place < self.line.count {
                switch self.line[place] {
                case UInt8(ascii: "\""):
                    self.place = place + 1
                    return start..<place
                case UInt8(ascii: "\\"): place += 2
                default: place += 1
                }
            }
            return nil
        }

        /// Passes over an object, an array, a number or a word.
        mutating func skipValue() -> Bool {
            var depth = 0
            let start = self.place
            while self.place < self.line.count {
                switch self.line[self.place] {
                case UInt8(ascii: "\""):
                    guard self.string() != nil else { return false }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard depth > 0 else { return self.place > start }
                    depth -= 1
                case UInt8(ascii: ","):
                    if depth == 0 { return self.place > start }
                default: break
                }
                self.place += 1
            }
            return false
        }
    }
}
