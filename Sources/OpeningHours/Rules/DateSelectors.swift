/// `2031`, `2031-2035/2`, `2031+`
struct YearRange: Hashable, Sendable {
    var first: Int
    var last: Int
    var step = 1

    func matches(_ date: CalendarDate) -> Bool {
        let year = date.year
        return year >= self.first && year <= self.last && (year - self.first) % self.step == 0
    }
}

/// `week 10`, `week 2-52/2`; after the last week the first follows.
struct WeekRange: Hashable, Sendable {
    var first: Int
    var last: Int
    var step = 1

    func matches(_ date: CalendarDate) -> Bool {
        let week = date.week
        let isInside =
            self.first <= self.last
            ? week >= self.first && week <= self.last : week >= self.first || week <= self.last
        return isInside && (week - self.first + 53) % 53 % self.step == 0
    }
}

/// `Mar`, `Dec 25`, `easter -2 days`: a day or a month without a year.
struct YearDay: Hashable, Sendable {
    enum Base: Hashable, Sendable {
        case month(Int)
        case day(month: Int, day: Int)
        case easter
    }

    var base: Base
    var offset = 0

    /// The first day in a year; if there is no 29 February, the day after it.
    func start(in year: Int) -> CalendarDate? {
        switch self.base {
        case .month(let month): CalendarDate(year: year, month: month, day: 1)
        case .day(let month, let day):
            CalendarDate(year: year, month: month, day: 1)?.adding(
                days: min(day, CalendarDate.days(inMonth: month, of: year) + 1) - 1 + self.offset)
        case .easter: CalendarDate.easter(of: year).adding(days: self.offset)
        }
    }

    /// The last day in a year; if there is no 29 February, the day before it.
    func end(in year: Int) -> CalendarDate? {
        switch self.base {
        case .month(let month):
            CalendarDate(year: year, month: month, day: CalendarDate.days(inMonth: month, of: year))
        case .day(let month, let day):
            CalendarDate(year: year, month: month, day: 1)?.adding(
                days: min(day, CalendarDate.days(inMonth: month, of: year)) - 1 + self.offset)
        case .easter: self.start(in: year)
        }
    }
}

/// `Mar-Oct`, `Dec 24-Jan 6`, `2031 Dec 20-2032 Jan 5`; in every year unless a year is given.
struct DateRange: Hashable, Sendable {
    var first: YearDay
    /// Nil for a single day or month.
    var last: YearDay?
    var firstYear: Int?
    var lastYear: Int?

    func matches(_ date: CalendarDate) -> Bool {
        // A range may begin in the previous year, and an offset in days may move it into the year before or after.
        let years = self.firstYear.map { $0...$0 } ?? (date.year - 2)...(date.year + 1)
        return years.contains { year in
            guard let start = self.first.start(in: year), let end = self.end(from: start, in: year) else {
                return false
            }
            return start <= date && date <= end
        }
    }

    private func end(from start: CalendarDate, in year: Int) -> CalendarDate? {
        guard let last = self.last else { return self.first.end(in: year) }
        if let lastYear = self.lastYear { return last.end(in: lastYear) }
        guard let end = last.end(in: year) else { return nil }
        return end < start ? last.end(in: year + 1) : end
    }
}
