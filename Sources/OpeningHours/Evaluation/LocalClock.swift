import Foundation

/// What the clocks of a time zone show, in whole seconds; when they are put forward or back, some times come never or twice.
struct LocalClock {
    /// A day and the seconds since its midnight, as clocks show them.
    struct Reading: Equatable {
        let date: CalendarDate
        let second: Int

        var minute: Int { self.second / 60 }
    }

    private static let secondsOfDay = 86_400
    let timeZone: TimeZone

    init(_ timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// What the clocks show at a second since 1970.
    func reading(at instant: Int) -> Reading {
        let local = instant + self.offset(at: instant)
        let second = (local % Self.secondsOfDay + Self.secondsOfDay) % Self.secondsOfDay
        return Reading(date: CalendarDate(number: (local - second) / Self.secondsOfDay), second: second)
    }

    /// The seconds at which something may begin that is written as these minutes of a day: when clocks show one of them, and
    /// when they are changed on that day.
    func instants(of date: CalendarDate, minutes: [Int]) -> [Int] {
        let midnight = date.number * Self.secondsOfDay
        let before = self.offset(at: midnight - Self.secondsOfDay)
        let after = self.offset(at: midnight + 2 * Self.secondsOfDay)
        guard before != after else { return minutes.map { midnight + $0 * 60 - before } }
        var instants: Set<Int> = []
        for minute in minutes {
            let reading = Reading(date: date, second: minute * 60)
            for offset in [before, after] {
                let instant = midnight + minute * 60 - offset
                if self.reading(at: instant) == reading { instants.insert(instant) }
            }
        }
        let change = self.change(between: midnight - Self.secondsOfDay, and: midnight + 2 * Self.secondsOfDay)
        if self.reading(at: change).date == date || self.reading(at: change - 1).date == date {
            instants.insert(change)
        }
        return instants.sorted()
    }

    /// The first second with the offset of the end.
    private func change(between start: Int, and end: Int) -> Int {
        let after = self.offset(at: end)
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.offset(at: middle) == after { high = middle } else { low = middle }
        }
        return high
    }

    private func offset(at instant: Int) -> Int {
        self.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }
}
