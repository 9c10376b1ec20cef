public import Foundation

extension OpeningHours {
    /// What is true at an instant, and what somebody wrote about it.
    public struct Status: Hashable, Sendable {
        public let state: State
        public let comment: String?
    }

    /// How far ahead a change is looked for, in days.
    public static let horizon = 366

    /// Whether it is open at an instant; unknown where no time zone is.
    public func state(at instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none) -> State {
        self.status(at: instant, in: timeZone, holidays: holidays).state
    }

    /// The state at an instant together with the comment of the rule that says so.
    public func status(at instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none) -> Status {
        guard let timeZone, let second = Self.second(of: instant) else { return Status(state: .unknown, comment: nil) }
        var timetable = Timetable(self, holidays)
        let reading = LocalClock(timeZone).reading(at: second)
        let answer = timetable.answer(reading.date, minute: reading.minute)
        return Status(state: answer.state, comment: answer.rule?.comment)
    }

    /// The first instant after another at which the state is a different one.
    ///
    /// - Parameter days: How far ahead to look.
    /// - Returns: Nil when nothing changes that soon, or no time zone is known.
    /// - Complexity: O(days · length of the text) at worst; a hundred years ahead is the furthest.
    public func nextChange(
        after instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none, within days: Int = Self.horizon
    ) -> Date? {
        guard let timeZone, let second = Self.second(of: instant) else { return nil }
        let clock = LocalClock(timeZone)
        var timetable = Timetable(self, holidays)
        let now = clock.reading(at: second)
        let state = timetable.answer(now.date, minute: now.minute).state
        // What is the same in every week has changed after two, even when clocks are changed, or never does.
        let isWeekly = self.groups.joined().allSatisfy(\.isWeekly)
        for distance in 0...max(0, min(days, isWeekly ? 15 : 100 * Self.horizon)) {
            let date = now.date.adding(days: distance)
            let runs = timetable.runs(of: date)
            // A day that is all alike stays so however its clocks are changed.
            if runs.allSatisfy({ $0.state == state }) { continue }
            for candidate in clock.instants(of: date, minutes: runs.map(\.start)) where candidate > second {
                let reading = clock.reading(at: candidate)
                guard timetable.answer(reading.date, minute: reading.minute).state != state else { continue }
                return Date(timeIntervalSince1970: Double(candidate))
            }
        }
        return nil
    }

    /// Whole seconds since 1970, of instants within some ten thousand years.
    private static func second(of instant: Date) -> Int? {
        let seconds = instant.timeIntervalSince1970.rounded(.down)
        return abs(seconds) < 3e11 ? Int(seconds) : nil
    }
}

extension OpeningHours.State {
    /// What a text says of an instant: a text that cannot be read says nothing, so that is unknown, never closed.
    public init(of text: String?, at instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none) {
        let hours = text.flatMap { try? OpeningHours($0) }
        self = hours?.state(at: instant, in: timeZone, holidays: holidays) ?? .unknown
    }
}
