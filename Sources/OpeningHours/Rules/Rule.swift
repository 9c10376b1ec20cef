/// One rule: its days, its times, and the state at these times. An empty selector matches everything.
struct Rule: Hashable, Sendable {
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

    /// Whether the rule is equal in every week.
    var isWeekly: Bool {
        self.years.isEmpty && self.dates.isEmpty && self.weeks.isEmpty
            && (self.days?.holidays.isEmpty ?? true)
            && (self.days?.weekdays.allSatisfy { $0.ordinals.isEmpty } ?? true)
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
