/// A day of the Gregorian calendar, independent of time zones.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    let number: Int

    init(number: Int) {
        self.number = number
    }

    /// Nil if the month does not have that day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        self.number = Self.number(year, month, day)
    }

    public var year: Int { self.parts.year }
    /// 1 is January.
    public var month: Int { self.parts.month }
    public var day: Int { self.parts.day }

    /// 0 is Monday, 6 is Sunday.
    public var weekday: Int { Self.remainder(self.number + 3, 7) }

    public func adding(days: Int) -> CalendarDate { CalendarDate(number: self.number + days) }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.number < right.number }
}

extension CalendarDate: CustomStringConvertible {
    /// `2031-03-09`
    public var description: String {
        let parts = self.parts
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }
}

// MARK: - Arithmetic

extension CalendarDate {
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: self.isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The position of this day among the equal weekdays of its month, counted from the start and from the end, beginning with 1.
    var ordinals: (fromStart: Int, fromEnd: Int) {
        let parts = self.parts
        return (
            (parts.day - 1) / 7 + 1, (Self.days(inMonth: parts.month, of: parts.year) - parts.day) / 7 + 1
        )
    }

    /// The week by ISO 8601: the first of a year is the one with its first Thursday.
    var week: Int {
        let thursday = self.adding(days: 3 - self.weekday)
        return (thursday.number - Self.number(thursday.year, 1, 1)) / 7 + 1
    }

    /// Easter Sunday of the Western churches.
    static func easter(of year: Int) -> CalendarDate {
        // The position in the Metonic cycle of 19 years, corrected for leap days and drift, gives the full moon of spring as days
        // after 21 March; Easter is the Sunday after it.
        let century = year / 100
        let golden = year % 19
        let drift = (8 * century + 13) / 25
        var moon = self.remainder(19 * golden + century - century / 4 - drift + 15, 30)
        if moon == 29 || moon == 28 && golden > 10 { moon -= 1 }
        let fullMoon = CalendarDate(number: self.number(year, 3, 21) + moon)
        return fullMoon.adding(days: 7 - Self.remainder(fullMoon.weekday + 1, 7))
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func remainder(_ number: Int, _ divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    /// A year that begins in March has its leap day at the end, and months of 153 days in five.
    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = self.floored(year, 4) - self.floored(year, 100) + self.floored(year, 400)
        return 365 * year + leapDays + dayOfYear - 719_468
    }

    private static func floored(_ number: Int, _ divisor: Int) -> Int {
        (number - self.remainder(number, divisor)) / divisor
    }

    private var parts: (year: Int, month: Int, day: Int) {
        let days = self.number + 719_468
        let cycle = Self.floored(days, 146_097)
        let rest = Self.remainder(days, 146_097)
        let yearOfCycle = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365
        let dayOfYear = rest - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = cycle * 400 + yearOfCycle
        return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
    }
}
