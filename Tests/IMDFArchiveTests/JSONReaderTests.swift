import IMDF
import IMDFArchive
import SampleVenue
import Testing

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.value(of: Array(text.utf8)) }

    @Test func `JSON reader: every kind of value is read`() throws {
        let text = #" {"a":[null,true,false,-1.5e2,"x\u00e9\n"],"b":{},"c":[]} "#
        #expect(
            try self.read(text) == ["a": [nil, true, false, -150, "xé\n"], "b": [:], "c": []])
        #expect(try self.read("12") == 12)
        #expect(try self.read(#""""#) == "")
    }

    @Test func `JSON reader: escapes become characters`() throws {
        #expect(try self.read(#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00\u0000""#) == "\"\\/\u{8}\u{C}\n\r\tA😀\0")
    }

    @Test func `JSON reader: the last duplicate member is used, however its key is escaped`() throws {
        #expect(try self.read(#"{"a":1,"b":2,"\u0061":3}"#) == ["a": 3, "b": 2])
    }

    @Test func `JSON reader: numbers become the nearest doubles`() throws {
        let cases: [(String, Double)] = [
            ("0.1", 0.1), ("-0", 0), ("-0.0", 0), ("1e2", 100),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("9007199254740993", 9_007_199_254_740_992), ("139.70000000", 139.7), ("1e-400", 0),
            ("5e-324", .leastNonzeroMagnitude),
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("0.000001", 1e-6), ("0.0000001", 1e-7),
            ("30.371511280536652", 30.371511280536652),
            ("179769313486231580" + String(repeating: "0", count: 291), .greatestFiniteMagnitude),
        ]
        for (text, number) in cases {
            #expect(try self.read(text) == .number(number), "\(text)")
        }
    }

    @Test(arguments: [
        (#"{"a": 1, "MARKS": 2}"#, 11), (#"{"a": ["b", "MARKS"]}"#, 14), (#"{"a": 1.5, "b": "ESCAPES"}"#, 13),
    ])
    func `JSON reader: a text may have thirty combining marks in a row`(text: String, column: Int) throws {
        func read(_ count: Int) throws -> JSONValue {
            let marks = (0..<count).map { $0.isMultiple(of: 2) ? "\u{301}" : "\u{20D2}" }.joined()
            let escapes = (0..<count).map { $0.isMultiple(of: 2) ? #"\u0301"# : #"\u20d2"# }.joined()
            let text = text.replacing("MARKS", with: "e" + marks + "e" + marks)
                .replacing("ESCAPES", with: "e" + escapes)
            return try JSONReader(boundsMarks: true).value(of: Array(text.utf8))
        }
        #expect(try read(30).object?.members.isEmpty == false)
        let error = #expect(throws: JSONReadingError.self) { try read(31) }
        #expect(error?.reason == .tooManyMarks)
        #expect(error?.column == column)
    }

    @Test(arguments: [
        ("", "1:1", JSONReadingError.Reason.empty),
        (" \n ", "2:2", .empty),
        (#"{"a":1,}"#, "1:8", .unexpected("}")),
        ("[1 2]", "1:4", .unexpected("2")),
        ("[1,\n  ü]", "2:3", .unexpected("ü")),
        ("[,1]", "1:2", .unexpected(",")),
        ("{1:2}", "1:2", .unexpected("1")),
        (#"{"a" 1}"#, "1:6", .unexpected("1")),
        ("[1", "1:3", .unexpectedEnd),
        (#"{"a":"#, "1:6", .unexpectedEnd),
        ("[1]]", "1:4", .trailingContent),
        (#""abc"def"#, "1:6", .trailingContent),
        ("[tru]", "1:2", .malformedLiteral),
        (#"[true"a"]"#, "1:2", .malformedLiteral),
        ("[nulll]", "1:2", .malformedLiteral),
        ("[01]", "1:2", .malformedNumber),
        ("[1.]", "1:2", .malformedNumber),
        ("[-]", "1:2", .malformedNumber),
        ("[1e+]", "1:2", .malformedNumber),
        ("[0x1]", "1:2", .malformedNumber),
        ("[+1]", "1:2", .unexpected("+")),
        ("[.5]", "1:2", .unexpected(".")),
        ("[NaN]", "1:2", .unexpected("N")),
        ("[1e400]", "1:2", .numberOutOfRange),
        ("[-1" + String(repeating: "0", count: 310) + "]", "1:2", .numberOutOfRange),
        (#"["\ud800"]"#, "1:3", .loneSurrogate),
        (#"["\ud800\u0041"]"#, "1:3", .loneSurrogate),
        (#"["é\udc00"]"#, "1:4", .loneSurrogate),
        (#"["\x"]"#, "1:3", .malformedEscape),
        (#"["\u12g4"]"#, "1:3", .malformedEscape),
        (#"["\u12"]"#, "1:3", .malformedEscape),
        ("[\"a\n\"]", "1:4", .controlCharacter),
        ("{\"a\": \"b}", "1:7", .unclosedString),
        ("[1,\0]", "1:4", .unexpected("\u{FFFD}")),
        ("[1\0]", "1:2", .malformedNumber),
        ("[true\0]", "1:2", .malformedLiteral),
        ("1\0", "1:1", .malformedNumber),
        ("\r\n\r\n[1,]", "3:4", .unexpected("]")),
    ])
    func `JSON reader: invalid JSON is refused with line and column`(
        text: String, position: String, reason: JSONReadingError.Reason
    ) throws {
        let error = #expect(throws: JSONReadingError.self) { try self.read(text) }
        #expect(error?.reason == reason)
        #expect(error?.lineAndColumn == position)
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0xFF, 0xFE, 0x5B, 0x00],
    ])
    func `JSON reader: invalid UTF-8 is refused with line and column`(bytes: [UInt8]) {
        let error = #expect(throws: JSONReadingError.self) { try JSONReader.value(of: bytes) }
        #expect(error?.reason == .notUTF8)
        #expect(error?.column == (bytes[0] == 0xFF ? 1 : 2))
    }

    @Test func `JSON reader: a byte order mark is skipped and not counted as a column`() throws {
        #expect(try JSONReader.value(of: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == [1])
        let error = #expect(throws: JSONReadingError.self) {
            try JSONReader.value(of: [0xEF, 0xBB, 0xBF] + Array("[1,]".utf8))
        }
        #expect(error?.lineAndColumn == "1:4")
    }

    @Test func `JSON reader: depth is limited, inclusive`() throws {
        let reader = JSONReader(depth: 5)
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: #"{"a":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)).utf8)
        }
        #expect(throws: Never.self) { try reader.value(of: nested(4)) }
        let error = #expect(throws: JSONReadingError.self) { try reader.value(of: nested(6)) }
        #expect(error?.reason == .tooDeep)
        let deep = #expect(throws: JSONReadingError.self) { try JSONReader.value(of: nested(2_000_000)) }
        #expect(deep?.reason == .tooDeep)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `JSON reader: a random document is read and written canonically`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let reader = JSONReader()
        for _ in 0..<5 {
            let value = random.value(depth: 4)
            let text = Array(random.text(value).utf8)
            #expect(try reader.value(of: text) == value)
            #expect(try reader.canonicalText(of: text) == CanonicalJSON.data(value))
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `JSON reader: copied decimals are canonical`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let reader = JSONReader()
        for _ in 0..<500 {
            let whole = String(repeating: "9876543210", count: 2).shuffled(using: &random).prefix(
                Int.random(in: 1...17, using: &random))
            let fraction = String(
                (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    "0001234567895".randomElement(using: &random) ?? "0"
                })
            let digits = random.chance(50) ? "0" : String(whole.drop { $0 == "0" })
            let text =
                (random.chance(50) ? "-" : "") + (digits.isEmpty ? "0" : digits)
                + (fraction.isEmpty ? "" : "." + fraction)
            let number = try #require(Double(text))
            #expect(try reader.canonicalText(of: Array(text.utf8)) == CanonicalJSON.data(.number(number)), "\(text)")
            #expect(try reader.value(of: Array(text.utf8)) == .number(number), "\(text)")
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `JSON reader: a mutated document is read or refused by both paths alike`(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let reader = JSONReader()
        let original = Array(random.text(.object(random.object(depth: 3))).utf8)
        for _ in 0..<100 {
            let bytes = mutated(original, using: &random.random)
            do {
                let value = try reader.value(of: bytes)
                #expect(try reader.canonicalText(of: bytes) == CanonicalJSON.data(value))
            } catch {
                #expect(error.line >= 1 && error.column >= 1)
            }
        }
    }
}

/// Bytes with a few of them replaced, removed, repeated or cut off.
func mutated(_ original: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = original
    let alphabet = Array("{}[],:\"\\0123456789.eE+-truefalsn \n\u{0}u/é".utf8) + [0xFF, 0x80]
    for _ in 0...Int.random(in: 0...2, using: &random) {
        guard !bytes.isEmpty else { break }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let other = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] = other
        case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(other, at: index)
        case 4: bytes.removeSubrange(index...)
        default:
            let end = min(bytes.count, index + Int.random(in: 1...30, using: &random))
            bytes.insert(contentsOf: Array(bytes[index..<end]), at: Int.random(in: 0...bytes.count, using: &random))
        }
    }
    return bytes
}
