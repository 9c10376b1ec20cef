/// One rule: on which days, at which times, and what is true then. A selector that is empty leaves the choice open.
struct Rule: Hashable, Sendable {
    /// Whether the rule takes the place of those before it on its days.
    var isAdditional = false
    var years: [YearRange] = []
    var dates: [DateRange] = []
    var weeks: [WeekRange] = []
    var days: DaySelector?
    /// Empty for the whole day.
    var times: [TimeSpan] = []
    var state = OpeningHours.State.open
    var comment: String?
    /// The rule by itself, as it was written.
    var text = ""

    /// Whether the rule holds in every week alike.
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
    /// Whether one of them matches, or there are none to choose from.
    fileprivate func containsMatch(_ matches: (Element) -> Bool) -> Bool {
        self.isEmpty || self.contains(where: matches)
    }
}
