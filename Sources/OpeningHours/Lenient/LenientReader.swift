/// Translates tokens into the strict syntax; nil unless the meaning is certain.
///
/// - Complexity: O(*n*) in the number of tokens, for a bounded number of rules.
struct LenientReader {
    enum Content: Equatable {
        case spans([LenientSpan])
        case always
        case closed
    }

    struct Rule {
        var days: LenientDays?
        var content: Content
    }

    private static let maximumRules = 21

    private let tokens: [LenientToken]
    private var offset = 0
    private(set) var rules: [Rule] = []
    /// Whether the text says that every day is open.
    private(set) var isEveryDay = false
    /// Whether working days were written as such, which excludes public holidays.
    private(set) var excludesHolidays = false

    /// The strict text.
    static func text(of tokens: [LenientToken]) -> String? {
        var reader = LenientReader(tokens)
        return reader.readAll() ? reader.strictText : nil
    }

    private init(_ tokens: [LenientToken]) {
        self.tokens = tokens
    }

    private mutating func readAll() -> Bool {
        if self.isClosed {
            self.rules = [Rule(days: nil, content: .closed)]
            return true
        }
        while self.offset < self.tokens.count {
            if self.take(.end) || self.take(.and) { continue }
            guard self.rules.count < Self.maximumRules, self.readRule() else { return false }
        }
        return true
    }

    /// Whether the text says that it is closed, and nothing else.
    private var isClosed: Bool {
        let words = self.tokens.filter { $0 != .end }
        return words == [.closed] || words == [.shut]
    }

    // MARK: - Reading

    private var next: LenientToken? { self.offset < self.tokens.count ? self.tokens[self.offset] : nil }

    private mutating func take(_ token: LenientToken) -> Bool {
        guard self.next == token else { return false }
        self.offset += 1
        return true
    }

    private mutating func readRule() -> Bool {
        if self.take(.everyDay) {
            self.isEveryDay = true
            return true
        }
        if self.take(.closed) {
            _ = self.take(.colon)
            guard let days = self.readDays() else { return false }
            self.rules.append(Rule(days: days, content: .closed))
            return true
        }
        var days = self.readDays()
        if days != nil { _ = self.take(.colon) || self.takeListSeparator() }
        guard let content = self.readContent() else { return false }
        if days == nil {
            guard content != .closed else { return false }
            // Days after the times, unless they begin the next rule: `9-5 Mon-Fri`.
            let start = self.offset
            if let following = self.readDays() {
                switch self.next {
                case nil, .end, .and: days = following
                case .closed, .colon: self.offset = start
                default: return false
                }
            }
        }
        self.rules.append(Rule(days: days, content: content))
        return true
    }

    private mutating func readContent() -> Content? {
        if self.take(.closed) { return .closed }
        if self.take(.always) { return .always }
        var spans: [LenientSpan] = []
        repeat {
            guard let first = self.readTime(), self.take(.to), let last = self.readTime(),
                let span = LenientSpan(first, last), spans.last.map({ $0.end <= span.start }) != false
            else { return nil }
            spans.append(span)
        } while self.takeListSeparator()
        return .spans(spans)
    }

    /// Takes a separator that another time span follows; in `11:00〜14:00 17:00〜22:00` there is none.
    private mutating func takeListSeparator() -> Bool {
        let separators = self.next == .and ? 1 : 0
        guard self.offset + separators < self.tokens.count else { return false }
        switch self.tokens[self.offset + separators] {
        case .time, .meridiem: break
        default: return false
        }
        self.offset += separators
        return true
    }

    private mutating func readTime() -> LenientTime? {
        let isNextDay = self.take(.nextDay)
        var meridiem: LenientTime.Meridiem?
        if case .meridiem(let before) = self.next {
            meridiem = before
            self.offset += 1
        }
        guard case .time(var time) = self.next else { return nil }
        self.offset += 1
        if meridiem != nil {
            // `PM12:00` is noon for some and midnight for others.
            guard time.meridiem == nil, time.hour < 12 else { return nil }
            time.meridiem = meridiem
        }
        time.isNextDay = isNextDay
        return time
    }

    /// Nil if there are none. A range that is not one of single weekdays ends the list before it.
    private mutating func readDays() -> LenientDays? {
        guard var days = self.readDayRange() else { return nil }
        while true {
            let start = self.offset
            _ = self.take(.and)
            guard let more = self.readDayRange() else {
                self.offset = start
                return days
            }
            days.formUnion(more)
        }
    }

    private mutating func readDayRange() -> LenientDays? {
        guard case .days(let days) = self.next else { return nil }
        self.offset += 1
        if days == .workdays { self.excludesHolidays = true }
        guard let first = days.weekday, self.next == .to, self.offset + 1 < self.tokens.count,
            case .days(let end) = self.tokens[self.offset + 1], let last = end.weekday
        else { return days }
        self.offset += 2
        return .range(first, last)
    }
}
