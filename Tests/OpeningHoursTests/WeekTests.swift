import OpeningHours
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
