import IMDF
import Testing

/// Swift compares texts in a time that grows with the square of the combining marks in a row.
struct CombiningMarksTests {
    /// Marks after a letter, and voiced sound marks, which are marks where texts are compared by compatibility.
    @Test(arguments: ["\u{301}", "\u{316}", "\u{3099}", "\u{FF9E}", "\u{FF9F}", "\u{1D165}"])
    func `thirty marks in a row are enough for every language`(mark: String) {
        let marks = String(repeating: mark, count: 30)
        for text in ["a\(marks)", "\(marks)b\(marks)\(marks.unicodeScalars.count)\(marks)", "か\(marks)。\(marks)"] {
            #expect(!CombiningMarks.areTooMany(in: text.utf8))
            #expect(!CombiningMarks.areTooMany(inJSON: #"{"\#(text)":"\#(text)"}"#.utf8))
        }
        for text in ["a\(marks)\(mark)", "a\(marks)\u{300}", "漢字 \(mark)\(marks) x"] {
            #expect(CombiningMarks.areTooMany(in: text.utf8))
            #expect(CombiningMarks.areTooMany(inJSON: #"{"\n":"\#(text)"}"#.utf8))
        }
    }

    @Test func `escapes of a JSON document count as what they stand for`() {
        func escaped(_ count: Int, _ scalar: String = #"\u0301"#) -> [UInt8] {
            Array(#"{"a\\\#(String(repeating: scalar, count: count))":1}"#.utf8)
        }
        #expect(!CombiningMarks.areTooMany(inJSON: escaped(30)))
        #expect(CombiningMarks.areTooMany(inJSON: escaped(31)))
        #expect(CombiningMarks.areTooMany(inJSON: escaped(31, #"\uD834\uDD65"#)))
        #expect(CombiningMarks.areTooMany(inJSON: escaped(16, #"\u0301"# + "\u{301}")))
        // A backslash before the letter: no escape of a mark.
        #expect(!CombiningMarks.areTooMany(inJSON: escaped(31, #"\\u0301"#)))
        // No JSON: nothing is read beyond the end.
        for end in 0...6 { #expect(!CombiningMarks.areTooMany(inJSON: Array("x\\u0301".utf8.prefix(end)))) }
    }
}
