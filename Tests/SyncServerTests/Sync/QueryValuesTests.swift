import Hummingbird
import IMDF
import SyncModel
import SyncServer
import Testing

struct QueryValuesTests {
    private static func query(_ text: String) -> QueryValues { QueryValues(Request("/venues/mall/sync?\(text)")) }

    /// Expects that a parameter is refused with 400.
    private static func expectRefusal(_ text: String, _ read: (QueryValues) throws -> Void) {
        let problem = #expect(throws: Problem.self, "\(text)") { try read(Self.query(text)) }
        #expect(problem?.status == 400 && problem?.type == "/problems/invalid-parameter", "\(text)")
    }

    @Test func `query parameter is decoded, and an empty or absent one is nil`() throws {
        let query = Self.query("message=two%20words&empty=&flag")
        #expect(try query.text("message") == "two words")
        for name in ["empty", "flag", "absent"] { #expect(try query.text(name) == nil) }
    }

    @Test(arguments: ["a=1&a=2", "a=1&a=1", "a=&a=", "a=1&b=2&a="])
    func `query parameter that is repeated is refused`(text: String) {
        Self.expectRefusal(text) { _ = try $0.text("a") }
    }

    @Test func `query list has all values in order, without empty ones`() {
        #expect(Self.query("type=unit&level=1&type=&type=level").all("type") == ["unit", "level"])
        #expect(Self.query("").all("type") == [])
    }

    @Test func `query flag is true, false or its default`() throws {
        #expect(try Self.query("f=true").flag("f") && !Self.query("f=false").flag("f", default: true))
        #expect(try !Self.query("").flag("f") && Self.query("f=").flag("f", default: true))
        for text in ["f=1", "f=yes", "f=True", "f=%20true"] { Self.expectRefusal(text) { _ = try $0.flag("f") } }
    }

    @Test func `query number is in its range`() throws {
        for (text, number) in [("n=1", 1), ("n=9", 9), ("n=+5", 5), ("n=", nil), ("", nil)] as [(String, Int64?)] {
            #expect(try Self.query(text).number("n", in: 1...9) == number, "\(text)")
        }
        for text in ["n=0", "n=10", "n=-1", "n=ten", "n=1.5", "n=0x5", "n=1%20", "n=99999999999999999999", "n=%D9%A1"] {
            Self.expectRefusal(text) { _ = try $0.number("n", in: 1...9) }
        }
    }

    @Test func `query limit has a default and is clamped`() throws {
        #expect(try Self.query("").limit(default: 100, max: 1_000) == 100)
        #expect(try Self.query("limit=7").limit(default: 100, max: 1_000) == 7)
        #expect(try Self.query("limit=\(Int64.max)").limit(default: 100, max: 1_000) == 1_000)
        for text in ["limit=0", "limit=-1", "limit=all"] {
            Self.expectRefusal(text) { _ = try $0.limit(default: 100, max: 1_000) }
        }
    }

    @Test func `level selection is everything, or the union of its values`() throws {
        let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)
        #expect(try Self.query("level=").levels() == .everything)
        let text = "level=venue&level=ordinal:-1&level=\(id.description.uppercased())&level=venue"
        #expect(try Self.query(text).levels().names == [.venueWide, .ordinal(-1), .level(id)])
        for text in ["level=VENUE", "level=ordinal:", "level=venue&level=x", "level=1"] {
            Self.expectRefusal(text) { _ = try $0.levels() }
        }
    }

    @Test func `message is at most 2000 bytes without NUL`() throws {
        #expect(try Self.query("message=%E6%98%A5").storedText("message") == "春")
        let longest = String(repeating: "x", count: 2_000)
        #expect(try Self.query("message=\(longest)").storedText("message") == longest)
        for text in ["message=\(longest)x", "message=a%00b"] {
            Self.expectRefusal(text) { _ = try $0.storedText("message") }
        }
    }
}
