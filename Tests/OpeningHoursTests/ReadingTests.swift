import Foundation
import OpeningHours
import SampleVenue
import Testing

@Suite struct ReadingTests {
    @Test(arguments: [
        ("", 0), ("Mo-Fr 9-5", 7), ("Mon-Fri 09:00-17:00", 2), ("Mo-Fr 10:00-12:00,", 18), ("24h", 2),
        ("Mo 10:00-12:00 ||", 17), ("\"open end", 1), ("月〜金", 0), ("10:00-12:00;;Mo", 12),
    ])
    func `reading: a syntax error has an offset`(text: String, offset: Int) {
        #expect(throws: OpeningHoursError.unexpected(offset: offset)) { try OpeningHours(text) }
    }

    @Test func `calendar date: conversions are inverse`() throws {
        var date = try #require(CalendarDate(year: 1, month: 1, day: 1))
        #expect(date.weekday == 0)
        #expect(CalendarDate(year: 1970, month: 1, day: 1)?.weekday == 3)
        #expect(CalendarDate(year: 2031, month: 2, day: 29) == nil)
        for _ in 0..<30_000 {
            #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
            date = date.adding(days: 113)
        }
        #expect(CalendarDate(year: 2032, month: 2, day: 29)?.description == "2032-02-29")
    }

    /// Nothing that somebody may write takes minutes, or ends the program. The limit ends a run that would take hours.
    @Test(.timeLimit(.minutes(30)))
    func `reading: hostile texts are refused or evaluated`() throws {
        let instant = try Date("2031-06-13T12:00:00+09:00")
        let zone = try TimeZone.named("Europe/Berlin")
        let pieces = [
            "off;", "easter -366 days,", "\"", "24/7||", "week 1-53/53,", "Mo[1],", "10:00-48:00,", "2031,", "1:00+;",
            "(dusk+23:00)-(dawn-23:00),", "Jan 1-Feb 30 off,", "PH -366 days,", "2031 Feb 29-1900 Jan 1;",
        ]
        for piece in pieces {
            let text = String(repeating: piece, count: 4_096 / piece.utf8.count)
            for text in [text, String(text.dropLast(piece.hasSuffix("||") ? 2 : 1)), text + "x"] {
                guard let hours = try? OpeningHours(text) else { continue }
                if let change = hours.nextChange(after: instant, in: zone) { #expect(change > instant, "\(piece)") }
                #expect(hours.week.days.count == 7, "\(piece)")
            }
        }
        #expect(throws: OpeningHoursError.tooLong) { try OpeningHours(String(repeating: "x", count: 4_097)) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `reading: random texts of the syntax are read or refused, and evaluated`(seed: UInt64) throws {
        let words = [
            "Mo", "Su", "-", ",", ";", "||", " ", "10:00", "26:00", "+", "off", "open", "unknown", "\"", "PH", "SH",
            "week",
            "1", "53", "/", "2031", "Feb", "29", "easter", "day", "[", "]", "sunset", "(", ")", "24/7", ":", "é",
            "\u{0}",
        ]
        var random = SplitMix64(seed: seed)
        let instant = try Date("2031-06-13T12:00:00+09:00")
        let zone = try TimeZone.named("Asia/Tokyo")
        var read = 0
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...9, using: &random))
                .map { _ in words.randomElement(using: &random) ?? "" }.joined()
            guard let hours = try? OpeningHours(text) else { continue }
            read += 1
            #expect(hours.text == text)
            guard let change = hours.nextChange(after: instant, in: zone) else { continue }
            #expect(change > instant)
            #expect(hours.state(at: change, in: zone) != hours.state(at: instant, in: zone), "\(text)")
            #expect(hours.state(at: change - 1, in: zone) == hours.state(at: instant, in: zone), "\(text)")
        }
        #expect(read > 20)
    }
}
