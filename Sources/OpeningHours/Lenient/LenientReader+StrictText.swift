extension LenientReader {
    /// Nil if rules contradict each other, so that their order would decide.
    var strictText: String? {
        let opens = self.rules.contains { $0.content != .closed }
        // Nothing is known about the other days, or about the times.
        guard opens else {
            if self.rules.first?.days == nil, !self.rules.isEmpty { return "off" }
            if self.isEveryDay, self.rules.isEmpty { return "Mo-Su unknown" }
            return self.rules.isEmpty || self.isEveryDay || self.isContradictory
                ? nil : (["Mo-Su unknown"] + self.parts).joined(separator: "; ")
        }
        if self.isContradictory { return nil }
        if self.isEveryDay {
            let covered = self.rules.reduce(into: LenientDays()) { $0.formUnion($1.covered) }
            guard covered.isSuperset(of: .week), !self.rules.contains(where: { $0.content == .closed }) else {
                return nil
            }
        }
        let isHolidayUnknown = self.excludesHolidays && !self.rules.contains { $0.names(.publicHolidays) }
        return (self.parts + (isHolidayUnknown ? ["PH unknown"] : [])).joined(separator: "; ")
    }

    /// Whether two rules have days in common, unless the later one is an exception on some days of the earlier one.
    private var isContradictory: Bool {
        for (index, rule) in self.rules.enumerated() {
            for earlier in self.rules[..<index] where !earlier.covered.isDisjoint(with: rule.covered) {
                guard rule.covered.isStrictSubset(of: earlier.covered) else { return true }
            }
        }
        // On a holiday that is also a closed weekday, one of two rules applies.
        return self.rules.contains { $0.names(.publicHolidays) && $0.content != .closed }
            && self.rules.contains { $0.content == .closed }
    }

    /// Rules for weekdays, then those for public holidays, which take precedence over the weekday of the holiday.
    private var parts: [String] {
        let weekdays = self.rules.filter { !$0.covered.isDisjoint(with: .week) }
            .map { $0.text($0.days?.intersection(.week)) }
        let holidays = self.rules.filter { $0.names(.publicHolidays) }.map { $0.text(.publicHolidays) }
        return weekdays + holidays
    }
}

extension LenientReader.Rule {
    /// All days, including holidays, if none or the whole week is named.
    fileprivate var covered: LenientDays {
        guard let days = self.days, !days.isSuperset(of: .week) else { return [.week, .publicHolidays] }
        return days
    }

    fileprivate func names(_ days: LenientDays) -> Bool { self.days?.isSuperset(of: days) ?? false }

    fileprivate func text(_ days: LenientDays?) -> String {
        let times =
            switch self.content {
            case .spans(let spans): spans.map(\.text).joined(separator: ",")
            case .always: "00:00-24:00"
            case .closed: "off"
            }
        return days.map { "\($0.text) \(times)" } ?? times
    }
}
