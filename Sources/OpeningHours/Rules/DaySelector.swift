/// `Mo-Fr,Su`, `Su[-1]`, `PH,Mo`, `SH Mo-Fr`
struct DaySelector: Hashable, Sendable {
    var weekdays: [WeekdayRange] = []
    var holidays: [HolidaySelector] = []
    /// Whether a day must match both, as in `SH Mo-Fr`: on holidays, but only on these weekdays.
    var needsBoth = false
    /// The texts of holidays and of weekdays with ordinals, in order.
    var exceptionTexts: [String] = []

    /// Whether the weekday of a day matches in every week.
    func matchesInEveryWeek(_ date: CalendarDate) -> Bool {
        !self.needsBoth && self.weekdays.contains { $0.ordinals.isEmpty && $0.matches(date) }
    }

    func matches(_ date: CalendarDate, _ holidays: Holidays) -> Bool {
        let isWeekday = self.weekdays.contains { $0.matches(date) }
        if isWeekday != self.needsBoth { return isWeekday }
        return self.holidays.contains { $0.matches(date, holidays) }
    }
}

/// `PH`, `PH -1 day`
struct HolidaySelector: Hashable, Sendable {
    var kind: Holidays.Kind
    var offset = 0

    func matches(_ date: CalendarDate, _ holidays: Holidays) -> Bool {
        holidays.contains(date.adding(days: -self.offset), self.kind)
    }
}

/// `Mo`, `Fr-Mo`, `Su[-1]`, `Sa[1,3-4] +1 day`
struct WeekdayRange: Hashable, Sendable {
    /// 0 is Monday.
    var first: Int
    var last: Int
    /// The positions in the month, counted from the end if negative; empty for all.
    var ordinals: [ClosedRange<Int>] = []
    var offset = 0

    func matches(_ date: CalendarDate) -> Bool {
        let date = date.adding(days: -self.offset)
        let weekday = date.weekday
        let isInside =
            self.first <= self.last
            ? weekday >= self.first && weekday <= self.last : weekday >= self.first || weekday <= self.last
        guard isInside, !self.ordinals.isEmpty else { return isInside }
        let ordinals = date.ordinals
        return self.ordinals.contains { $0.contains(ordinals.fromStart) || $0.contains(-ordinals.fromEnd) }
    }
}
