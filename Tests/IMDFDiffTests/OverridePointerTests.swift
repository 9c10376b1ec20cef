import IMDF
import IMDFDiff
import Testing

struct OverridePointerTests {
    @Test(arguments: ["\u{301}x", "~", "/", "~1", "~01", "", "a/\u{301}b", "\u{E9}", "e\u{301}", "=\r\n"])
    func `override pointer: every name of a property is read back with the same bytes`(_ name: String) throws {
        for pointer in [OverridePointer.property(name), .label("name", language: name)] {
            let read = try #require(OverridePointer(pointer.description))
            #expect(read == pointer && read.description.utf8.elementsEqual(pointer.description.utf8))
        }
    }

    @Test func `override pointer: names in different normal forms are different`() {
        let (composed, decomposed) = (OverridePointer.property("\u{E9}"), OverridePointer.property("e\u{301}"))
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        #expect(!composed.isIn(property: "e\u{301}") && composed.isIn(property: "\u{E9}"))
    }

    @Test(arguments: ["x", "/", "/name", "/properties", "/properties/hours/en", "\u{301}/geometry", "/geometry/type"])
    func `override pointer: other texts are no pointers`(_ text: String) {
        #expect(OverridePointer(text) == nil)
    }
}
