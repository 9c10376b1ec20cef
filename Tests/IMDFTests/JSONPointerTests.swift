import IMDF
import Testing

struct JSONPointerTests {
    @Test(arguments: [
        ("name", "name"), ("", ""), ("a/b~c", "a~1b~0c"), ("~1", "~01"), ("a/\u{301}b", "a~1\u{301}b"),
        ("~\u{301}", "~0\u{301}"),
    ])
    func `a key is escaped by bytes`(key: String, token: String) {
        // Not `==`, for which canonically equivalent texts are equal.
        #expect(Array(JSONPointer.token(key).utf8) == Array(token.utf8))
    }
}
