public import Foundation

extension OpeningHours {
    /// The state at an instant, and the comment about it.
    public struct Status: Hashable, Sendable {
        public let state: State
        public let comment: String?
    }

    /// How many days ahead a change is searched by default.
    public static let horizon = 366

    /// The state at an instant; unknown without a time zone.
    public func state(at instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none) -> State {
        self.status(at: instant, in: timeZone, holidays: holidays).state
    }

    /// The state at an instant, with the comment of the rule that determines it.
    public func status(at instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none) -> Status {
        guard let timeZone, let second = Self.second(of: instant) else { return Status(state: .unknown, comment: nil) }
        var timetable = Timetable(self, holidays)
        let reading = LocalClock(timeZone).reading(at: second)
        let result = timetable.state(on: reading.date, minute: reading.minute)
        return Status(state: result.state, comment: result.rule?.comment)
    }

    /// The first instant after another at which the state is different.
    ///
    /// - Parameters:
    ///   - days: How many days ahead to search, at most a hundred years.
    ///   - shouldStop: Called before each day; no change is found any more when it is true.
    /// - Returns: nil if the state does not change in that time, or without a time zone.
    /// - Complexity: O(days · *n* · (*n* + groups · log *n*)) at worst, for *n* rules and time spans in up to 16 groups, which `||` separates.
    ///   ``maximumLength`` bounds *n*.
    public func nextChange(
        after instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none, within days: Int = Self.horizon,
        shouldStop: () -> Bool = { false }
    ) -> Date? {
        guard let timeZone, let second = Self.second(of: instant) else { return nil }
        let clock = LocalClock(timeZone)
        var timetable = Timetable(self, holidays)
        let now = clock.reading(at: second)
        let state = timetable.state(on: now.date, minute: now.minute).state
        // Hours that are equal in every week change within two weeks, even if clocks change, or never.
        let isWeekly = self.groups.joined().allSatisfy(\.isWeekly)
        for distance in 0...max(0, min(days, isWeekly ? 15 : 100 * Self.horizon)) {
            guard !shouldStop() else { return nil }
            let date = now.date.adding(days: distance)
            let runs = timetable.runs(of: date)
            // A day with one state has no change, even if clocks change.
            if runs.allSatisfy({ $0.state == state }) { continue }
            for candidate in clock.instants(of: date, minutes: runs.map(\.start)) where candidate > second {
                let reading = clock.reading(at: candidate)
                guard timetable.state(on: reading.date, minute: reading.minute).state != state else { continue }
                return Date(timeIntervalSince1970: Double(candidate))
            }
        }
        return nil
    }

    /// Whole seconds since 1970; nil for instants more than some ten thousand years away.
    static func second(of instant: Date) -> Int? {
        let seconds = instant.timeIntervalSince1970.rounded(.down)
        return abs(seconds) < 3e11 ? Int(seconds) : nil
    }
}

extension OpeningHours.State {
    /// The state by a text at an instant. A text that cannot be read gives unknown, never closed.
    public init(of text: String?, at instant: Date, in timeZone: TimeZone?, holidays: Holidays = .none) {
        let hours = text.flatMap { try? OpeningHours($0) }
        self = hours?.state(at: instant, in: timeZone, holidays: holidays) ?? .unknown
    }
}
