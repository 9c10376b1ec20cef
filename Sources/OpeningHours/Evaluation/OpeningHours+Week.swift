package import Foundation

extension OpeningHours {
    /// A part of a day.
    public struct Span: Hashable, Sendable {
        /// Minutes after the midnight at which the day begins.
        public let start: Int
        /// The minute at which it ends; above 1 440 it lies on the next day.
        public let end: Int
        /// Open or unknown.
        public let state: State
        public let comment: String?

        public init(start: Int, end: Int, state: State, comment: String? = nil) {
            self.start = start
            self.end = end
            self.state = state
            self.comment = comment
        }
    }

    /// The regular week and its exceptions.
    public struct Week: Hashable, Sendable {
        /// From Monday to Sunday, each with the spans that begin on it, by time; none while closed.
        public let days: [[Span]]
        /// The texts of the rules for holidays, for parts of the year or for certain days of a month, and of all rules after `||`. A rule for
        /// weekdays and holidays, such as `Sa-Su,PH 10:00-20:00`, is in ``days`` with its weekdays and here with the rest.
        public let exceptions: [String]
    }

    /// The week as a table.
    public var week: Week {
        let monday = CalendarDate(number: 4)
        let regular = self.groups[0]
        let days = (0..<7).map { weekday in
            self.spans([DayPlan(regular, everyWeekday: monday.adding(days: weekday))])
        }
        let exceptions = regular.compactMap(\.exceptionText) + self.groups.dropFirst().joined().map(\.text)
        return Week(days: days, exceptions: exceptions)
    }

    /// The spans that begin on one day, by all rules, including those for holidays and seasons.
    public func spans(on date: CalendarDate, holidays: Holidays = .none) -> [Span] {
        self.spans(self.groups.map { DayPlan($0, on: date, holidays) })
    }

    /// A day with the spans that begin on it.
    package struct Day: Hashable, Sendable {
        package let date: CalendarDate
        /// The spans with the instants at which they begin and end.
        package let intervals: [Interval]
    }

    package struct Interval: Hashable, Sendable {
        package let span: Span
        package let start: Date
        package let end: Date
    }

    /// The days from that of an instant on, by the calendar of a time zone; none for an instant that is thousands of years away.
    ///
    /// - Parameter shouldStop: Called before each day; the rest is left out when it is true.
    /// - Complexity: For each day as ``nextChange(after:in:holidays:within:shouldStop:)``.
    package func days(
        _ count: Int, from instant: Date, in timeZone: TimeZone, shouldStop: () -> Bool = { false }
    ) -> [Day] {
        guard let second = Self.second(of: instant) else { return [] }
        let clock = LocalClock(timeZone)
        let today = clock.reading(at: second).date
        func date(_ day: CalendarDate, _ minute: Int, isLast: Bool) -> Date {
            Date(timeIntervalSince1970: Double(clock.instant(of: day, minute: minute, isLast: isLast)))
        }
        var days: [Day] = []
        for distance in 0..<max(0, count) where !shouldStop() {
            let day = today.adding(days: distance)
            let intervals = self.spans(on: day).map { span in
                Interval(
                    span: span, start: date(day, span.start, isLast: false), end: date(day, span.end, isLast: true))
            }
            days.append(Day(date: day, intervals: intervals))
        }
        return days
    }

    /// - Parameter plans: the plans of the first groups.
    private func spans(_ plans: [DayPlan]) -> [Span] {
        let starts = Set(plans.lazy.flatMap(\.steps).map(\.start)).union([2 * Minutes.day]).sorted()
        var spans: [Span] = []
        for (start, end) in zip(starts, starts.dropFirst()) {
            let cells = plans.enumerated().lazy.map { (group: $0.offset, cell: $0.element.cell(at: start)) }
            guard let (group, cell) = cells.first(where: { $0.cell != .undetermined }), cell.state != .closed else {
                continue
            }
            let span = Span(start: start, end: end, state: cell.state, comment: self.groups[group][cell.rule].comment)
            if let last = spans.last, last.continues(with: span) {
                spans[spans.count - 1] = Span(start: last.start, end: end, state: last.state, comment: last.comment)
            } else {
                spans.append(span)
            }
        }
        return spans
    }
}

extension OpeningHours.Span {
    fileprivate func continues(with next: OpeningHours.Span) -> Bool {
        self.end == next.start && self.state == next.state && self.comment == next.comment
    }
}
