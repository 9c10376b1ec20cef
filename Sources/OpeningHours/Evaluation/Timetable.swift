/// The plans of days, computed on demand.
struct Timetable {
    /// A part of a day with one state.
    struct Run {
        let start: Int
        let state: OpeningHours.State
    }

    private let groups: [[HoursRule]]
    private let holidays: Holidays
    /// By the number of the day; one plan for every group.
    private var plans: [Int: [DayPlan]] = [:]

    init(_ hours: OpeningHours, _ holidays: Holidays) {
        self.groups = hours.groups
        self.holidays = holidays
    }

    /// The state at a minute of a day, and the rule that determines it, if any.
    mutating func state(on date: CalendarDate, minute: Int) -> (state: OpeningHours.State, rule: HoursRule?) {
        let days = self.days(of: date)
        guard let (group, cell) = Self.cell(days, at: minute) else { return (.closed, nil) }
        return (cell.state, self.groups[group][cell.rule])
    }

    /// The parts of a day, at least one.
    mutating func runs(of date: CalendarDate) -> [Run] {
        let days = self.days(of: date)
        var starts: Set<Int> = []
        for plan in days.today { starts.formUnion(plan.steps.lazy.map(\.start)) }
        for plan in days.yesterday { starts.formUnion(plan.steps.lazy.map { max(0, $0.start - Minutes.day) }) }
        var runs: [Run] = []
        for start in starts.sorted() where start < Minutes.day {
            let state = Self.cell(days, at: start)?.cell.state ?? .closed
            if runs.last?.state != state { runs.append(Run(start: start, state: state)) }
        }
        return runs
    }

    private typealias Days = (today: [DayPlan], yesterday: [DayPlan])

    private mutating func days(of date: CalendarDate) -> Days {
        (self.plans(of: date), self.plans(of: date.adding(days: -1)))
    }

    /// The state by the first group that applies.
    private static func cell(_ days: Days, at minute: Int) -> (group: Int, cell: DayPlan.Cell)? {
        for group in days.today.indices {
            let cell = max(days.today[group].cell(at: minute), days.yesterday[group].cell(at: minute + Minutes.day))
            if cell != .undetermined { return (group, cell) }
        }
        return nil
    }

    private mutating func plans(of date: CalendarDate) -> [DayPlan] {
        if let plans = self.plans[date.number] { return plans }
        let plans = self.groups.map { DayPlan($0, on: date, self.holidays) }
        // Days are requested in order, so older ones are not needed again.
        if self.plans.count > 4 { self.plans = self.plans.filter { abs($0.key - date.number) < 3 } }
        self.plans[date.number] = plans
        return plans
    }
}
