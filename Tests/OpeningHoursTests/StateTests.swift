import Foundation
import OpeningHours
import Testing

@Suite struct StateTests {
    private static let tokyo = "Asia/Tokyo"
    private static let berlin = "Europe/Berlin"

    private func state(
        _ text: String, _ instant: String, in zone: String = Self.tokyo, holidays: Holidays = .none
    ) throws -> OpeningHours.State {
        try OpeningHours(text).state(at: Date(instant), in: .named(zone), holidays: holidays)
    }

    private func change(_ text: String, after instant: String, in zone: String = Self.tokyo) throws -> Date? {
        try OpeningHours(text).nextChange(after: Date(instant), in: .named(zone))
    }

    // 2031-06-13 is a Friday.

    @Test func `state: a night belongs to the day on which it began`() throws {
        for text in ["Fr-Sa 18:00-02:00", "Fr 18:00-26:00; Sa 18:00-02:00", "Fr-Sa 18:00-02:00; Su off"] {
            #expect(try self.state(text, "2031-06-13T17:59:59+09:00") == .closed, "\(text)")
            #expect(try self.state(text, "2031-06-14T01:59:59+09:00") == .open, "\(text)")
            #expect(try self.state(text, "2031-06-14T02:00:00+09:00") == .closed, "\(text)")
            #expect(try self.state(text, "2031-06-15T01:00:00+09:00") == .open, "\(text)")
            #expect(try self.state(text, "2031-06-16T01:00:00+09:00") == .closed, "\(text)")
            #expect(try self.change(text, after: "2031-06-13T23:00:00+09:00") == Date("2031-06-14T02:00:00+09:00"))
        }
    }

    @Test func `state: a later rule for the next day ends a night earlier`() throws {
        #expect(try self.state("Fr 18:00-02:00; Sa 00:00-01:00 off", "2031-06-14T00:30:00+09:00") == .closed)
        #expect(try self.state("Fr 18:00-02:00; Sa 00:00-01:00 off", "2031-06-14T01:30:00+09:00") == .open)
        #expect(try self.state("24/7; Fr 22:00-02:00 off", "2031-06-14T01:30:00+09:00") == .closed)
        #expect(try self.state("Mo-Su 00:00-24:00; Fr 22:00-02:00 off", "2031-06-14T01:30:00+09:00") == .closed)
        #expect(try self.state("Mo-Su 00:00-24:00; Fr 22:00-02:00 off", "2031-06-14T02:30:00+09:00") == .open)
    }

    @Test func `state: holidays apply only if given`() throws {
        let hours = "Mo-Fr 10:00-18:00; PH off"
        let friday = try #require(CalendarDate(year: 2031, month: 6, day: 13))
        #expect(try self.state(hours, "2031-06-13T12:00:00+09:00") == .open)
        #expect(
            try self.state(hours, "2031-06-13T12:00:00+09:00", holidays: Holidays(publicHolidays: [friday])) == .closed)
        #expect(try OpeningHours(hours).namesHolidays)
        #expect(try !OpeningHours("Mo-Fr 10:00-18:00").namesHolidays)
        let school = Holidays(schoolHolidays: [friday, friday.adding(days: 1)])
        #expect(try self.state("SH Mo-Fr 10:00-18:00", "2031-06-13T12:00:00+09:00", holidays: school) == .open)
        #expect(try self.state("SH Mo-Fr 10:00-18:00", "2031-06-14T12:00:00+09:00", holidays: school) == .closed)
    }

    @Test func `state: undecidable and unreadable hours are unknown`() throws {
        let noon = "2031-06-13T12:00:00+09:00"
        #expect(try self.state("Mo-Fr 10:00-18:00 \"by appointment\"", noon) == .unknown)
        #expect(try self.state("\"ask\"", noon) == .unknown)
        #expect(try self.state("Mo-Fr 10:00-18:00 open \"ring the bell\"", noon) == .open)
        #expect(try self.state("sunrise-sunset", noon) == .unknown)
        #expect(try self.state("08:00-sunset", "2031-06-13T07:59:00+09:00") == .closed)
        #expect(try self.state("10:00-18:00+", "2031-06-13T19:00:00+09:00") == .unknown)
        #expect(try self.state("10:00-18:00+", noon) == .open)
        #expect(try self.state("18:00+", "2031-06-13T19:00:00+09:00") == .open)
        #expect(OpeningHours.State(of: "24h", at: try Date(noon), in: try .named(Self.tokyo)) == .unknown)
        #expect(OpeningHours.State(of: nil, at: try Date(noon), in: try .named(Self.tokyo)) == .unknown)
        #expect(OpeningHours.State(of: "24/7", at: try Date(noon), in: nil) == .unknown)
        #expect(try OpeningHours("Mo 10:00-12:00").nextChange(after: Date(noon), in: nil) == nil)
        #expect(OpeningHours.State(of: "24/7", at: .distantFuture, in: try .named(Self.tokyo)) == .open)
        #expect(
            OpeningHours.State(of: "24/7", at: Date(timeIntervalSince1970: 1e300), in: try .named(Self.tokyo))
                == .unknown)
    }

    @Test func `state: a fallback applies where no previous rule does`() throws {
        let hours = "Mo-Fr 08:00-12:00; PH off || Mo-Sa 10:00-16:00 unknown \"call us\" || Su 10:00-11:00"
        #expect(try self.state(hours, "2031-06-13T11:00:00+09:00") == .open)
        #expect(try self.state(hours, "2031-06-13T13:00:00+09:00") == .unknown)
        #expect(try self.state(hours, "2031-06-15T10:30:00+09:00") == .open)
        #expect(try self.state(hours, "2031-06-15T13:00:00+09:00") == .closed)
        let friday = try #require(CalendarDate(year: 2031, month: 6, day: 13))
        #expect(
            try self.state(hours, "2031-06-13T13:00:00+09:00", holidays: Holidays(publicHolidays: [friday])) == .closed)
        let status = try OpeningHours(hours).status(at: Date("2031-06-13T13:00:00+09:00"), in: .named(Self.tokyo))
        #expect(status.comment == "call us")
    }

    @Test func `state: clock changes are followed`() throws {
        // Clocks go from 2:00 to 3:00 on 30 March and from 3:00 to 2:00 on 26 October.
        let shift = "Su 02:15-03:15"
        #expect(
            try self.change(shift, after: "2031-03-30T00:00:00+01:00", in: Self.berlin)
                == Date("2031-03-30T03:00:00+02:00"))
        #expect(
            try self.change(shift, after: "2031-03-30T03:00:00+02:00", in: Self.berlin)
                == Date("2031-03-30T03:15:00+02:00"))
        let night = "Su 02:15-02:45"
        let changes = [
            "2031-10-26T02:15:00+02:00", "2031-10-26T02:45:00+02:00", "2031-10-26T02:15:00+01:00",
            "2031-10-26T02:45:00+01:00", "2031-11-02T02:15:00+01:00",
        ]
        var instant = try Date("2031-10-26T00:00:00+02:00")
        for change in changes {
            instant = try #require(try OpeningHours(night).nextChange(after: instant, in: .named(Self.berlin)))
            #expect(instant == (try Date(change)))
        }
        // Open when clocks are put back to before it opens.
        #expect(
            try self.change("Su 02:30-10:00", after: "2031-10-26T02:45:00+02:00", in: Self.berlin)
                == Date("2031-10-26T02:00:00+01:00"))
        // The half hour that never comes.
        #expect(
            try self.change("Su 02:15-02:45", after: "2031-03-30T00:00:00+01:00", in: Self.berlin)
                == Date("2031-04-06T02:15:00+02:00"))
    }

    @Test func `next change: it is searched within a year`() throws {
        #expect(try self.change("24/7", after: "2031-06-13T12:00:00+09:00") == nil)
        #expect(try self.change("off", after: "2031-06-13T12:00:00+09:00") == nil)
        #expect(try self.change("2040", after: "2031-06-13T12:00:00+09:00") == nil)
        let far = try OpeningHours("2040")
            .nextChange(after: Date("2031-06-13T12:00:00+09:00"), in: .named(Self.tokyo), within: 4_000)
        #expect(far == (try Date("2040-01-01T00:00:00+09:00")))
        #expect(
            try self.change("Jun 13 10:00-11:00", after: "2031-06-13T12:00:00+09:00")
                == Date("2032-06-13T10:00:00+09:00"))
    }

    @Test func `next change: the search asks before each day whether to stop`() throws {
        let instant = try Date("2031-06-13T12:00:00+09:00")
        let zone = try TimeZone.named(Self.tokyo)
        func search(_ text: String, days limit: Int) throws -> (change: Date?, calls: Int) {
            var calls = 0
            let change = try OpeningHours(text).nextChange(
                after: instant, in: zone,
                shouldStop: {
                    calls += 1
                    return calls > limit
                })
            return (change, calls)
        }
        let never = try search("2040", days: .max)
        #expect(never.change == nil && never.calls == OpeningHours.horizon + 1)
        let found = try search("Jun 20", days: 8)
        #expect(found.change == (try Date("2031-06-20T00:00:00+09:00")) && found.calls == 8)
        let stopped = try search("Jun 20", days: 7)
        #expect(stopped.change == nil && stopped.calls == 8)
    }

    @Test func `days: the table asks before each day whether to stop`() throws {
        let hours = try OpeningHours("Mo-Su 10:00-20:00")
        let (instant, zone) = (try Date("2031-06-13T12:00:00+09:00"), try TimeZone.named(Self.tokyo))
        var calls = 0
        let days = hours.days(31, from: instant, in: zone) {
            calls += 1
            return calls > 3
        }
        #expect(days == hours.days(3, from: instant, in: zone) && days.count == 3)
    }
}
