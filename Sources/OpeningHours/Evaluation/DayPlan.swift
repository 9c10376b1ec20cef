/// The states that the rules of a group determine for one day and the night after it: for the 2 880 minutes that a span beginning on
/// that day may cover.
struct DayPlan: Hashable, Sendable {
    /// The state from a minute to the next step.
    struct Step: Hashable, Sendable {
        let start: Int
        let cell: Cell
    }

    /// The state at a minute, and the rule that determines it. Of two cells for one minute the greater one is used.
    struct Cell: Hashable, Comparable, Sendable {
        private let bits: UInt32

        /// No rule applies.
        static let undetermined = Cell(bits: 0)

        private init(bits: UInt32) {
            self.bits = bits
        }

        /// A rule with times takes precedence over one for whole days, then the later rule does.
        init(rule: Int, isTimed: Bool, state: OpeningHours.State) {
            let code: UInt32 =
                switch state {
                case .open: 0
                case .closed: 1
                case .unknown: 2
                }
            self.bits = (isTimed ? 1 << 31 : 0) | UInt32(rule + 1) << 2 | code
        }

        var rule: Int { Int(self.bits & 0x7FFF_FFFF) >> 2 - 1 }

        var state: OpeningHours.State {
            switch self.bits & 3 {
            case 0: self == .undetermined ? .closed : .open
            case 1: .closed
            default: .unknown
            }
        }

        static func < (left: Cell, right: Cell) -> Bool { left.bits < right.bits }
    }

    /// Sorted by start; the first one starts at 0.
    private(set) var steps = [Step(start: 0, cell: .undetermined)]

    /// - Complexity: O(rules + their time spans).
    init(_ rules: [HoursRule], on date: CalendarDate, _ holidays: Holidays) {
        self.init(rules) { $0.matches(date, holidays) }
    }

    /// The plan of a weekday by what the rules say of it in every week.
    init(_ rules: [HoursRule], everyWeekday date: CalendarDate) {
        self.init(rules) { $0.matchesInEveryWeek(date) }
    }

    /// Of the matching rules, those before the last one that replaces the others are ignored.
    private init(_ rules: [HoursRule], matching matches: (HoursRule) -> Bool) {
        let matching = rules.indices.filter { matches(rules[$0]) }
        for number in matching[(matching.lastIndex { rules[$0].replacesPrevious } ?? 0)...] {
            self.paint(rules[number], number)
        }
    }

    private mutating func paint(_ rule: HoursRule, _ number: Int) {
        guard !rule.times.isEmpty else {
            self.paint(0..<Minutes.day, Cell(rule: number, isTimed: false, state: rule.state))
            return
        }
        self.paintRests(of: rule, number)
        for span in rule.times {
            let state = span.isCertain ? rule.state : .unknown
            self.paint(span.range, Cell(rule: number, isTimed: true, state: state))
        }
    }

    /// What may follow open ends. `18:00+ off` has none: it is closed until midnight.
    private mutating func paintRests(of rule: HoursRule, _ number: Int) {
        guard rule.times.contains(where: \.isOpenEnded) else { return }
        let starts = rule.times.map(\.range.lowerBound).sorted()
        let both = starts + starts.map { $0 + Minutes.day }
        for span in rule.times where span.end != nil || rule.state != .closed {
            guard let rest = span.rest(before: both) else { continue }
            self.paint(rest, Cell(rule: number, isTimed: true, state: .unknown))
        }
    }

    private mutating func paint(_ range: Range<Int>, _ cell: Cell) {
        let range = range.clamped(to: 0..<2 * Minutes.day)
        guard !range.isEmpty else { return }
        let behind = self.cell(at: range.upperBound)
        let first = self.stepIndex(of: range.lowerBound)
        let last = self.stepIndex(of: range.upperBound + 1)
        self.steps.replaceSubrange(
            first..<last,
            with: [Step(start: range.lowerBound, cell: cell), Step(start: range.upperBound, cell: behind)])
    }

    /// The state at a minute after the midnight at which the day begins.
    func cell(at minute: Int) -> Cell {
        self.steps[self.stepIndex(of: minute + 1) - 1].cell
    }

    /// The index of the first step that starts at a minute or later.
    private func stepIndex(of minute: Int) -> Int {
        var (low, high) = (0, self.steps.count)
        while low < high {
            let middle = (low + high) / 2
            if self.steps[middle].start < minute { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension HoursRule {
    /// Whether the rule replaces all previous rules on its days. `off` without times does; with times it removes only these.
    fileprivate var replacesPrevious: Bool {
        self.state == .closed ? self.times.isEmpty : !self.isAdditional
    }
}
