/// Whether a text is in the syntax of OpenStreetMap's `opening_hours`, as far as it is in use.
///
/// Rules are joined by `;`, `||` or a comma. A rule has selectors, from the widest (years, months, weeks) over days of the week to
/// times of the day, then `open`, `closed`, `off` or `unknown`, and a comment in quotation marks; each of it may be missing, but
/// not all.
struct OpeningHours {
    private var rest: Substring
    /// How narrow the last selector was.
    private var rank = Rank.none

    private enum Rank: Int {
        case none, wide, days, times, modifier, comment
    }

    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 4_096 else { return false }
        var parser = OpeningHours(rest: text[...])
        return parser.readAll()
    }

    private init(rest: Substring) {
        self.rest = rest
    }

    private mutating func readAll() -> Bool {
        while true {
            self.rank = .none
            guard self.readRule() else { return false }
            self.skipSpace()
            if self.rest.isEmpty { return true }
            guard self.take(";") || self.take("||") else { return false }
            self.skipSpace()
            if self.rest.isEmpty { return true }  // a semicolon at the end does no harm
        }
    }

    private mutating func readRule() -> Bool {
        var isFirst = true
        while true {
            self.skipSpace()
            if self.rest.isEmpty || self.rest.hasPrefix(";") || self.rest.hasPrefix("||") { return !isFirst }
            let hasComma = !isFirst && self.take(",")
            self.skipSpace()
            guard let rank = self.readSelector() else { return false }
            // What is wider than the one before begins an additional rule, which a comma has to tell.
            guard hasComma || rank.rawValue >= self.rank.rawValue else { return false }
            guard hasComma || isFirst || rank != self.rank || rank == .wide else { return false }
            self.rank = rank
            if rank == .wide { _ = self.take(":") }
            isFirst = false
        }
    }

    private mutating func readSelector() -> Rank? {
        if self.take("24/7") { return .times }
        if self.take("\"") {
            guard let end = self.rest.firstIndex(of: "\"") else { return nil }
            self.rest = self.rest[end...].dropFirst()
            return .comment
        }
        for word in ["open", "closed", "off", "unknown"] where self.takeWord(word) { return .modifier }
        if self.readDays() { return .days }
        if self.readTimes() { return .times }
        if self.readWide() { return .wide }
        return nil
    }

    // MARK: - Years, months, weeks

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private mutating func readWide() -> Bool {
        if self.takeWord("week") {
            self.skipSpace()
            repeat {
                guard self.number(1...2, in: 1...53) != nil else { return false }
                if self.take("-") { guard self.number(1...2, in: 1...53) != nil else { return false } }
                if self.take("/") { guard self.number(1...2, in: 1...53) != nil else { return false } }
            } while self.takeListed { $0.first?.isNumber == true }
            return true
        }
        if self.takeWord("easter") { return self.readDayOffset() && self.readDateEnd() }
        if self.number(4...4, in: 1900...9999) != nil {
            if self.take("+") { return true }
            if self.take("-") { guard self.number(4...4, in: 1900...9999) != nil else { return false } }
            if self.take("/") { guard self.number(1...2, in: 1...99) != nil else { return false } }
            return true
        }
        return self.readMonthDay() && self.readDateEnd()
    }

    private mutating func readMonthDay() -> Bool {
        guard Self.months.contains(where: { self.take($0) }) else { return false }
        self.readDay()
        return self.readDayOffset()
    }

    /// The second half of `Mar-Oct`, `Dec 24-26`, `Dec 25-easter +1 day`.
    private mutating func readDateEnd() -> Bool {
        let before = self.rest
        self.skipSpace()
        guard self.take("-") else {
            self.rest = before
            return true
        }
        self.skipSpace()
        if self.number(4...4, in: 1900...9999) != nil { self.skipSpace() }
        if self.takeWord("easter") { return self.readDayOffset() }
        if self.number(1...2, in: 1...31) != nil { return true }
        return self.readMonthDay()
    }

    /// A day of the month, unless it is the hour of a time.
    private mutating func readDay() {
        let before = self.rest
        self.skipSpace()
        if self.number(1...2, in: 1...31) != nil, self.rest.first != ":" || self.rest.dropFirst().first == " " {
            return
        }
        self.rest = before
    }

    private mutating func readDayOffset() -> Bool {
        let before = self.rest
        self.skipSpace()
        if self.take("+") || self.take("-"), self.number(1...3, in: 1...366) != nil {
            self.skipSpace()
            if self.take("days") || self.take("day") { return true }
        }
        self.rest = before
        return true
    }

    // MARK: - Days

    private static let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    private mutating func readDays() -> Bool {
        let isHoliday = self.rest.hasPrefix("PH") || self.rest.hasPrefix("SH")
        guard self.readDayList() else { return false }
        let before = self.rest
        self.skipSpace()
        // In the holidays, but only on these days.
        if isHoliday, Self.days.contains(where: { self.rest.hasPrefix($0) }) { return self.readDayList() }
        self.rest = before
        return true
    }

    private mutating func readDayList() -> Bool {
        guard self.readDayRange() else { return false }
        while self.takeListed({ rest in (Self.days + ["PH", "SH"]).contains { rest.hasPrefix($0) } }) {
            guard self.readDayRange() else { return false }
        }
        return true
    }

    private mutating func readDayRange() -> Bool {
        if self.take("PH") || self.take("SH") { return self.readDayOffset() }
        guard Self.days.contains(where: { self.take($0) }) else { return false }
        if self.take("[") {
            repeat {
                _ = self.take("-")
                guard self.number(1...1, in: 1...5) != nil else { return false }
                if self.take("-") { guard self.number(1...1, in: 1...5) != nil else { return false } }
            } while self.take(",")
            return self.take("]") && self.readDayOffset()
        }
        let before = self.rest
        self.skipSpace()
        guard self.take("-") else {
            self.rest = before
            return true
        }
        self.skipSpace()
        return Self.days.contains { self.take($0) }
    }

    // MARK: - Times

    private mutating func readTimes() -> Bool {
        let before = self.rest
        guard self.readTimeRange() else {
            self.rest = before
            return false
        }
        while self.takeListed({ $0.first?.isNumber == true || $0.hasPrefix("sun") || $0.hasPrefix("(") }) {
            guard self.readTimeRange() else { return false }
        }
        return true
    }

    /// `10:00-18:00`, `22:00-26:00`, `18:00+`, `sunrise-(sunset+01:00)`.
    private mutating func readTimeRange() -> Bool {
        guard self.readTime(latest: 24) else { return false }
        if self.take("+") { return true }
        self.skipSpace()
        guard self.take("-") else { return false }
        self.skipSpace()
        guard self.readTime(latest: 48) else { return false }
        _ = self.take("+")
        return true
    }

    private mutating func readTime(latest: Int) -> Bool {
        let isInBrackets = self.take("(")
        if ["sunrise", "sunset", "dawn", "dusk"].contains(where: { self.takeWord($0) }) {
            guard isInBrackets else { return true }
            guard self.take("+") || self.take("-"), self.readClock(latest: 23) else { return false }
            return self.take(")")
        }
        return !isInBrackets && self.readClock(latest: latest)
    }

    private mutating func readClock(latest: Int) -> Bool {
        guard let hour = self.number(1...2, in: 0...latest), self.take(":"),
            let minute = self.number(2...2, in: 0...59)
        else { return false }
        return hour < latest || minute == 0
    }

    // MARK: - Characters

    private mutating func skipSpace() {
        self.rest = self.rest.drop { $0 == " " }
    }

    private mutating func take(_ text: String) -> Bool {
        guard self.rest.hasPrefix(text) else { return false }
        self.rest = self.rest.dropFirst(text.count)
        return true
    }

    /// A word that does not go on.
    private mutating func takeWord(_ word: String) -> Bool {
        guard self.rest.hasPrefix(word), self.rest.dropFirst(word.count).first?.isLetter != true else { return false }
        self.rest = self.rest.dropFirst(word.count)
        return true
    }

    /// A comma, if what follows it is one more of the same.
    private mutating func takeListed(_ follows: (Substring) -> Bool) -> Bool {
        let before = self.rest
        self.skipSpace()
        guard self.take(",") else {
            self.rest = before
            return false
        }
        self.skipSpace()
        if follows(self.rest) { return true }
        self.rest = before
        return false
    }

    private mutating func number(_ lengths: ClosedRange<Int>, in range: ClosedRange<Int>) -> Int? {
        let digits = self.rest.prefix { $0.isASCII && $0.isNumber }
        guard lengths.contains(digits.count), let value = Int(digits), range.contains(value) else { return nil }
        self.rest = self.rest.dropFirst(digits.count)
        return value
    }
}
