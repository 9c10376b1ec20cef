import Foundation
import SampleVenue
import SyncModel
import Testing

struct TimestampTests {
    @Test func `timestamp survives a round trip`() throws {
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

    @Test func `timestamp as a number has the milliseconds of the text`() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<5_000 {
            // PostgreSQL keeps microseconds.
            let microseconds = Int.random(in: 0..<4_000_000_000_000_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
            let milliseconds = Timestamp.milliseconds(of: date)
            #expect(milliseconds == microseconds / 1_000)
            let second = Timestamp.text(of: Date(timeIntervalSince1970: Double(milliseconds / 1_000))).dropLast(4)
            #expect(Timestamp.text(of: date) == "\(second)\(String(1_000 + milliseconds % 1_000).dropFirst())Z")
        }
    }

    @Test func `milliseconds until the year 9999 survive a round trip`() throws {
        var generator = SplitMix64(seed: 3)
        let random = (0..<20_000).map { _ in Int.random(in: 0..<253_402_300_800_000, using: &generator) }
        for milliseconds in random + [69_440_016_232_040] {
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            #expect(Timestamp.milliseconds(of: date) == milliseconds)
            let text = Timestamp.text(of: date)
            #expect(text.dropLast().hasSuffix(String(1_000 + milliseconds % 1_000).dropFirst()))
            #expect(Timestamp.date(of: text).map(Timestamp.milliseconds) == milliseconds)
        }
    }

    @Test func `timestamps with offsets are read, and invalid ones are refused`() {
        #expect(Timestamp.date(of: "2031-04-01T18:00:00+09:00") == Timestamp.date(of: "2031-04-01T09:00:00Z"))
        #expect(Timestamp.date(of: "2032-02-29t00:00:00.5z") == Timestamp.date(of: "2032-02-29T00:00:00.500Z"))
        for text in [
            "", "now", "2031-04-01", "2031-04-01T09:00", "2031-13-01T00:00:00Z", "2031-02-29T00:00:00Z",
            "2031-02-30T00:00:00Z", "2031-04-31T00:00:00Z", "2031-01-01T24:00:00Z", "10000-01-01T00:00:00Z",
            "2031-00-01T00:00:00Z", "2031-04-01T09:60:00Z", "2031-04-01T09:00:00", "2031-04-01T09:00:00+9:00",
        ] {
            #expect(Timestamp.date(of: text) == nil, "\(text)")
        }
    }
}
