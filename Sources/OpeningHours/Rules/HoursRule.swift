/// One rule: its days, its times, and the state at these times. An empty selector matches everything.
struct HoursRule: Hashable, Sendable {
    /// Whether the rule adds to the previous rules on its days instead of replacing them.
    var isAdditional = false
    var years: [YearRange] = []
    var dates: [DateRange] = []
    var weeks: [WeekRange] = []
    var days: DaySelector?
    /// Empty for the whole day.
    var times: [TimeSpan] = []
    var state = OpeningHours.State.open
    var comment: String?
    /// The text of this rule, as it was written.
    var text = ""

    /// The text of the part that is not equal in every week, as a rule of its own: of `Sa-Su,PH 10:00-20:00` it is `PH 10:00-20:00`. Nil if
    /// there is none.
    var exceptionText: String?

    /// Whether the rule is equal in every week.
    var isWeekly: Bool {
        self.years.isEmpty && self.dates.isEmpty && self.weeks.isEmpty
            && (self.days?.holidays.isEmpty ?? true)
            && (self.days?.weekdays.allSatisfy { $0.ordinals.isEmpty } ?? true)
    }

    /// Whether the rule applies to the weekday of a day in every week, as that of `Sa-Su,PH 10:00-20:00` on Saturdays.
    func matchesInEveryWeek(_ date: CalendarDate) -> Bool {
        guard self.years.isEmpty, self.dates.isEmpty, self.weeks.isEmpty else { return false }
        return self.days?.matchesInEveryWeek(date) ?? true
    }

    func matches(_ date: CalendarDate, _ holidays: Holidays) -> Bool {
        self.years.containsMatch { $0.matches(date) } && self.dates.containsMatch { $0.matches(date) }
            && self.weeks.containsMatch { $0.matches(date) } && self.days?.matches(date, holidays) != false
    }
}

extension Array {
    /// Whether an element matches, or there are none.
    fileprivate func containsMatch(_ matches: (Element) -> Bool) -> Bool {
        self.isEmpty || self.contains(where: matches)
    }
}
