import Foundation
import OpeningHours
import SampleVenue
import Testing

@Suite struct WeekTests {
    @Test func `week: spans past midnight belong to the day on which they begin`() throws {
        let week = try OpeningHours(
            "Mo-Th 10:00-20:00; Fr-Sa 18:00-02:00; We 12:00-13:00 off; PH off; Su[1] 10:00-12:00; Dec 24-26 off"
        ).week
        let day = [OpeningHours.Span(10, 20)]
        let night = [OpeningHours.Span(18, 26)]
        #expect(week.days == [day, day, [.init(10, 12), .init(13, 20)], day, night, night, []])
        #expect(week.exceptions == ["PH off", "Su[1] 10:00-12:00", "Dec 24-26 off"])
    }

    @Test(
        arguments: [
            ("Mo-Su,PH 10:00-21:00", [10, 10, 10, 10, 10, 10, 10], ["PH 10:00-21:00"]),
            ("Mo-Fr 09:00-21:00; Sa-Su,PH 10:00-21:00", [9, 9, 9, 9, 9, 10, 10], ["PH 10:00-21:00"]),
            ("PH,Sa 10:00-21:00 \"ring\" ", [nil, nil, nil, nil, nil, 10, nil], ["PH 10:00-21:00 \"ring\""]),
            ("Mo-Fr 09:00-21:00; We,SH -1 day,PH off", [9, 9, nil, 9, 9, nil, nil], ["SH -1 day,PH off"]),
            ("Mo,Sa[1,-1] 10:00-21:00", [10, nil, nil, nil, nil, nil, nil], ["Sa[1,-1] 10:00-21:00"]),
            ("SH Mo-Fr 10:00-21:00", Array(repeating: nil, count: 7), ["SH Mo-Fr 10:00-21:00"]),
            ("Dec Mo-Fr,PH 10:00-21:00", Array(repeating: nil, count: 7), ["Dec Mo-Fr,PH 10:00-21:00"]),
        ] as [(String, [Int?], [String])])
    func `week: weekdays that a rule names beside holidays are in the table`(
        text: String, starts: [Int?], exceptions: [String]
    ) throws {
        let week = try OpeningHours(text).week
        #expect(week.days.map { $0.first.map { $0.start / 60 } } == starts)
        #expect(week.exceptions == exceptions)
        // What is listed is a rule.
        for exception in week.exceptions { _ = try OpeningHours(exception) }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `week: the table is what the hours are at any instant of a week without exceptions`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let days = [
            "Mo-Su", "Sa-Su", "Fr-Mo", "We", "Mo,We,Fr", "PH", "SH", "Sa,PH", "PH,Mo-Fr", "SH Mo-We", "Tu[2]",
            "Su,Mo[-1]",
        ]
        let times = [
            "10:00-18:00", "12:00-13:00 off", "22:00-02:00", "off", "09:30-12:00,13:00-26:00", "20:00+", "unknown",
        ]
        for _ in 0..<300 {
            let rules = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                "\(days.randomElement(using: &random) ?? "") \(times.randomElement(using: &random) ?? "")"
            }
            let text = rules.joined(separator: ["; ", ", "].randomElement(using: &random) ?? "; ")
            let hours = try OpeningHours(text)
            let week = hours.week
            // The weeks of these Mondays have neither the second Tuesday nor the last Monday of their month.
            let (month, date) = try #require([(1, 15), (2, 19)].randomElement(using: &random))
            let monday = try #require(CalendarDate(year: 2035, month: month, day: date))
            for day in 0..<7 {
                #expect(hours.spans(on: monday.adding(days: day)) == week.days[day], "\(text), day \(day)")
            }
            let zone = try #require(["UTC", "Asia/Tokyo", "America/New_York"].randomElement(using: &random))
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: zone))
            let start = try #require(calendar.date(from: .init(year: 2035, month: month, day: date)))
            for _ in 0..<20 {
                let (day, minute) = (Int.random(in: 0..<7, using: &random), Int.random(in: 0..<1_440, using: &random))
                // A span of the day before may end after midnight.
                let states = Set(
                    [(day, minute), ((day + 6) % 7, minute + 1_440)].flatMap { day, minute in
                        week.days[day].filter { $0.start <= minute && minute < $0.end }.map(\.state)
                    })
                let expected: OpeningHours.State =
                    states.contains(.open) ? .open : states.contains(.unknown) ? .unknown : .closed
                let instant = start.addingTimeInterval(Double((day * 1_440 + minute) * 60))
                #expect(
                    hours.state(at: instant, in: calendar.timeZone) == expected, "\(text) at \(instant) in \(zone)")
            }
        }
    }

    @Test func `week: comments, unknown spans and fallbacks are included`() throws {
        let week = try OpeningHours("Mo 10:00-12:00 \"ring\", Mo 12:00-14:00+ || Tu unknown \"call\"").week
        #expect(week.days[0].map(\.state) == [.unknown, .open, .unknown])
        #expect(week.days[0].map(\.comment) == ["ring", nil, nil])
        #expect(week.days[1] == [])
        #expect(week.exceptions == ["Tu unknown \"call\""])
        #expect(try OpeningHours("24/7").week.days == Array(repeating: [.init(0, 24)], count: 7))
    }

    @Test func `spans of a day: exceptions are applied`() throws {
        let hours = try OpeningHours("Mo-Fr 10:00-18:00; Dec 24 10:00-14:00; PH off || Su 10:00-11:00")
        let eve = try #require(CalendarDate(year: 2031, month: 12, day: 24))
        #expect(hours.spans(on: eve) == [.init(10, 14)])
        #expect(hours.spans(on: eve, holidays: Holidays(publicHolidays: [eve])) == [])
        #expect(hours.spans(on: eve.adding(days: 4)) == [.init(10, 11)])
    }
}

extension OpeningHours.Span {
    /// Whole hours in which it is open.
    fileprivate init(_ start: Int, _ end: Int) {
        self.init(start: start * 60, end: end * 60, state: .open)
    }
}
