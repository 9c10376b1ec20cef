import Foundation

/// Converts between instants and the local time of a time zone, in whole seconds. When clocks change, some local times do not occur or
/// occur twice.
struct LocalClock {
    /// A local time: a day and the seconds since its midnight.
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

    /// The local time at an instant, in seconds since 1970.
    func reading(at instant: Int) -> Reading {
        let local = instant + self.offset(at: instant)
        let second = (local % Self.secondsOfDay + Self.secondsOfDay) % Self.secondsOfDay
        return Reading(date: CalendarDate(number: (local - second) / Self.secondsOfDay), second: second)
    }

    /// The instants at which the state may change that is given for these minutes of a day: when the local time is one of them, and when
    /// clocks change on that day.
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

    /// The instant at which a day has a minute, which may lie on the next day. Of two instants, when clocks were set back, the first or
    /// the last one; for a time that does not occur, the change of the clocks.
    func instant(of date: CalendarDate, minute: Int, isLast: Bool) -> Int {
        let day = date.adding(days: minute / Minutes.day)
        let reading = Reading(date: day, second: minute % Minutes.day * 60)
        let midnight = day.number * Self.secondsOfDay
        let (start, end) = (midnight - Self.secondsOfDay, midnight + 2 * Self.secondsOfDay)
        let instants = [start, end].map { midnight + reading.second - self.offset(at: $0) }
            .filter { self.reading(at: $0) == reading }
        return (isLast ? instants.max() : instants.min()) ?? self.change(between: start, and: end)
    }

    /// The first instant with the offset of the end.
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
