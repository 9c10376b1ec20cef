internal import CSimdjson
package import IMDF

/// Reads single JSON documents (RFC 8259), such as stored bodies. A reader reuses its memory for the next document.
///
/// The last of several members with the same key is used, a byte order mark is skipped, and numbers become the nearest doubles.
package final class JSONReader {
    private let reader = TapeReader()
    private let buffer = DocumentBuffer()
    private var builder = ValueBuilder()
    private let depth: Int
    private let boundsMarks: Bool

    /// - Parameters:
    ///   - depth: the limit of nested arrays and objects.
    ///   - boundsMarks: whether a text with more than 30 combining marks in a row is an error: for what others send.
    package init(depth: Int = 128, boundsMarks: Bool = false) {
        self.depth = depth
        self.boundsMarks = boundsMarks
    }

    /// The value of a document.
    package static func value(of bytes: [UInt8]) throws(JSONReadingError) -> JSONValue {
        try JSONReader().value(of: bytes)
    }

    /// The value of a document.
    package func value(of bytes: [UInt8]) throws(JSONReadingError) -> JSONValue {
        self.builder.value(try self.tape(of: bytes))
    }

    /// The canonical text (RFC 8785) of a document.
    package func canonicalText(of bytes: [UInt8]) throws(JSONReadingError) -> [UInt8] {
        let tape = try self.tape(of: bytes)
        var writer = CanonicalWriter()
        writer.write(tape, at: 0)
        return writer.text
    }

    /// The number of members that are ignored because a later one has the same key.
    package func duplicateMembers(in bytes: [UInt8]) throws(JSONReadingError) -> Int {
        var builder = ValueBuilder()
        _ = builder.value(try self.tape(of: bytes))
        return builder.duplicates
    }

    func tape(of bytes: [UInt8]) throws(JSONReadingError) -> Tape {
        bytes.withUnsafeBufferPointer { self.buffer.replace(with: $0) }
        self.reader.open(self.buffer, maxDepth: self.depth, maxLength: .max, boundsMarks: self.boundsMarks)
        while true {
            if case .end(let tape) = try self.reader.next() { return tape }
        }
    }
}

/// Makes values from the tape.
struct ValueBuilder: ~Copyable {
    private var members = MemberStack()

    /// Members that were ignored because a later one has the same key.
    var duplicates: Int { self.members.duplicates }

    mutating func value(_ tape: Tape, at index: Int = 0) -> JSONValue {
        let word = tape.words[index]
        switch Tape.tag(of: word) {
        case .null, .streamed: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .decimal:
            let text = UnsafeBufferPointer(start: tape.document + Tape.offset(of: word), count: Tape.length(of: word))
            return .number(Self.number(text))
        case .double: return .number(Double(bitPattern: tape.words[index + 1]))
        case .plain_string, .unescaped_string: return .string(String(decoding: tape.utf8(of: word), as: UTF8.self))
        case .array:
            let end = tape.end(of: index)
            var elements: [JSONValue] = []
            var next = index + 1
            while next < end {
                elements.append(self.value(tape, at: next))
                next = tape.end(of: next)
            }
            return .array(elements)
        case .object:
            let range = self.members.push(tape, objectAt: index)
            var members: [JSONObject.Member] = []
            members.reserveCapacity(range.count)
            for number in range {
                let member = self.members[number]
                let key = String(decoding: tape.utf8(of: member.key), as: UTF8.self)
                members.append(JSONObject.Member(key: key, value: self.value(tape, at: member.value)))
            }
            self.members.pop(to: range.lowerBound)
            return .object(JSONObject(members))
        }
    }

    /// The double of a decimal with at most 15 significant digits and 22 decimal places.
    private static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        var digits: UInt64 = 0
        var decimals = 0
        var isFraction = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): isFraction = true
            default:
                digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                if isFraction { decimals += 1 }
            }
        }
        // Both are exact doubles, so the quotient is rounded only once.
        let magnitude = Double(digits) / Self.powers[decimals]
        return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    private static let powers: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
