import Foundation
import SampleVenue
import SyncModel
import Testing

struct TimestampTests {
    @Test func `a time that was written and read is written the same`() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let millisecond = Int.random(in: 0..<1_000, using: &random)
            let second = Int.random(in: 0..<4_000_000_000, using: &random)
            let start = Timestamp.text(of: Date(timeIntervalSince1970: Double(second))).dropLast(4)
            let text = "\(start)\(String(1_000 + millisecond).dropFirst())Z"
            let date = try #require(Timestamp.date(of: text))
            #expect(Timestamp.text(of: date) == text)
        }
    }

    @Test func `an offset is read, and what is no time is not`() {
        #expect(Timestamp.date(of: "2031-04-01T18:00:00+09:00") == Timestamp.date(of: "2031-04-01T09:00:00Z"))
        for text in ["", "now", "2031-04-01", "2031-04-01T09:00", "2031-13-01T00:00:00Z"] {
            #expect(Timestamp.date(of: text) == nil, "\(text)")
        }
    }
}
