/// A time span of which the times are certain.
struct LenientSpan: Hashable {
    /// Minutes after midnight; the end may be on the next day.
    let start: Int
    let end: Int

    private static let noon = 720
    private static let day = 1_440
    /// Times up to `29:59` are written for the night after a day.
    private static let hours = 0..<30

    /// In the strict syntax.
    var text: String { "\(Self.text(self.start))-\(Self.text(self.end))" }

    /// Nil if the times could mean something else.
    init?(_ first: LenientTime, _ last: LenientTime) {
        guard Self.hours.contains(first.hour), first.hour < 24, !first.isNextDay, Self.hours.contains(last.hour),
            let (start, end) = Self.minutes(first, last), start < end, end - start <= Self.day
        else { return nil }
        (self.start, self.end) = (start, end)
    }

    private static func minutes(_ first: LenientTime, _ last: LenientTime) -> (Int, Int)? {
        switch (first.meridiem, last.meridiem) {
        case (.some, .some):
            guard let start = first.minutes, let end = last.minutes, start != end else { return nil }
            let isWrapped = last.isNextDay || end < start
            // Noon and midnight are often confused: `12am-5pm`, `6pm-12pm`.
            if start == 0, end >= self.noon { return nil }
            if isWrapped, last.hour == 12, last.meridiem == .afternoon { return nil }
            return (start, isWrapped ? end + self.day : end)
        case (nil, .some(let meridiem)): return self.minutes(first, before: last, meridiem)
        case (.some(let meridiem), nil): return self.minutes(first, meridiem, before: last)
        case (nil, nil): return self.minutes24(first, last)
        }
    }

    /// `9-5pm`: the start is the same half of the day or the other one.
    private static func minutes(
        _ first: LenientTime, before last: LenientTime, _ meridiem: LenientTime.Meridiem
    ) -> (Int, Int)? {
        guard let end = last.minutes, !last.isNextDay else { return nil }
        if first.hour > 12 { return (first.plain, first.plain < end ? end : end + self.day) }
        guard first.hour > 0, last.hour != 12 else { return nil }
        let start = first.plain % self.noon
        switch meridiem {
        // `8-10pm` may begin in the morning or in the evening.
        case .afternoon: return start > end % self.noon ? (start, end) : nil
        case .morning: return start < end && first.hour != 12 ? (start, end) : nil
        }
    }

    /// `9am-5`: the end is the first one that follows, unless it could also be the second.
    private static func minutes(
        _ first: LenientTime, _ meridiem: LenientTime.Meridiem, before last: LenientTime
    ) -> (Int, Int)? {
        guard let start = first.minutes, !last.isNextDay else { return nil }
        if last.hour > 12 { return start < last.plain ? (start, last.plain) : nil }
        guard last.hour > 0 else { return nil }
        let end = last.plain % self.noon
        switch meridiem {
        case .morning: return last.hour != 12 && end <= start ? (start, end + self.noon) : nil
        case .afternoon:
            guard end != start % self.noon else { return nil }
            return (start, end > start - self.noon ? end + self.noon : end + self.day)
        }
    }

    /// Without am and pm. Times such as `10:00` count 24 hours; numbers such as `9-5` only where nothing else is likely.
    private static func minutes24(_ first: LenientTime, _ last: LenientTime) -> (Int, Int)? {
        let (start, end) = (first.plain, last.plain)
        let isClock = first.isClock && last.isClock
        if last.isNextDay { return first.isClock || first.hour > 12 ? (start, end + self.day) : nil }
        if start < end {
            // `9-12` may end at midnight.
            return isClock || last.hour > 12 ? (start, end) : nil
        }
        if first.hour > 12, start != end { return (start, end + self.day) }
        if isClock, end == 0 { return (start, self.day) }
        // `9-5`, but not `10-2`, which may be a bar, nor `9:00-5:00`, which may be a night.
        guard !first.isClock, !last.isClock, (8...11).contains(first.hour), (5...9).contains(last.hour) else {
            return nil
        }
        return (start, end + self.noon)
    }

    private static func text(_ minutes: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(minutes / 60)):\(padded(minutes % 60))"
    }
}

extension LenientTime {
    /// Minutes after midnight as written.
    fileprivate var plain: Int { self.hour * 60 + self.minute }

    /// Minutes after midnight by am and pm; nil if there is no such time. After midnight it is 12 am, after noon 12 pm.
    fileprivate var minutes: Int? {
        guard let meridiem, (0...12).contains(self.hour) else { return nil }
        return self.hour % 12 * 60 + self.minute + (meridiem == .afternoon ? 720 : 0)
    }
}
