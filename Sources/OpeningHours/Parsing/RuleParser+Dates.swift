extension RuleParser {
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let years = 1900...9999

    /// Reads years, months, days and weeks in any order, and an optional colon after them.
    mutating func readDates(into rule: inout HoursRule) throws(OpeningHoursError) {
        let start = self.scanner.offset
        while true {
            self.scanner.skipSpace()
            if self.scanner.takeWord("week") {
                self.scanner.skipSpace()
                rule.weeks += try self.readList({ $0.startsWithDigit() }, Self.readWeeks)
            } else if Self.startsYear(self.scanner) {
                try self.readYears(into: &rule)
            } else if Self.startsDate(self.scanner) {
                try self.readDateList(into: &rule, year: nil)
            } else {
                break
            }
        }
        if self.scanner.offset > start { _ = self.scanner.take(":") }
    }

    private static func readWeeks(_ parser: inout RuleParser) throws(OpeningHoursError) -> WeekRange {
        guard let first = parser.scanner.takeNumber(digits: 1...2, in: 1...53) else { throw parser.unexpected }
        var range = WeekRange(first: first, last: first)
        if parser.scanner.take("-") {
            guard let last = parser.scanner.takeNumber(digits: 1...2, in: 1...53) else { throw parser.unexpected }
            range.last = last
        }
        if parser.scanner.take("/") {
            guard let step = parser.scanner.takeNumber(digits: 1...2, in: 1...53) else { throw parser.unexpected }
            range.step = step
        }
        return range
    }

    // MARK: - Years

    static func startsYear(_ scanner: Scanner) -> Bool {
        var scanner = scanner
        return scanner.takeNumber(digits: 4...4, in: Self.years) != nil
    }

    /// A year directly before a date belongs to that date. Other years are selectors of their own.
    private mutating func readYears(into rule: inout HoursRule) throws(OpeningHoursError) {
        var year: Int?
        let ranges = try self.readList(Self.startsYear, Self.readYearRange)
        if ranges.count == 1, ranges[0].first == ranges[0].last { year = ranges[0].first }
        let before = self.scanner.offset
        self.scanner.skipSpace()
        if let year, Self.startsDate(self.scanner) {
            try self.readDateList(into: &rule, year: year)
        } else {
            self.scanner.goBack(to: before)
            rule.years += ranges
        }
    }

    private static func readYearRange(_ parser: inout RuleParser) throws(OpeningHoursError) -> YearRange {
        guard let first = parser.scanner.takeNumber(digits: 4...4, in: Self.years) else { throw parser.unexpected }
        var range = YearRange(first: first, last: first)
        if parser.scanner.take("+") {
            range.last = Self.years.upperBound
            return range
        }
        if parser.scanner.take("-") {
            guard let last = parser.scanner.takeNumber(digits: 4...4, in: Self.years) else { throw parser.unexpected }
            range.last = last
        }
        if parser.scanner.take("/") {
            guard let step = parser.scanner.takeNumber(digits: 1...2, in: 1...99) else { throw parser.unexpected }
            range.step = step
        }
        return range
    }

    // MARK: - Dates

    private static func startsDate(_ scanner: Scanner) -> Bool {
        scanner.startsWith("easter") || self.months.contains { scanner.startsWith($0) }
    }

    private mutating func readDateList(into rule: inout HoursRule, year: Int?) throws(OpeningHoursError) {
        var year = year
        rule.dates += try self.readList({ Self.startsDate($0) || Self.startsYear($0) }) {
            (parser: inout RuleParser) throws(OpeningHoursError) in
            if let named = parser.takeYear() { year = named }
            let range = try parser.readDateRange(year: year)
            year = range.lastYear ?? year
            return range
        }
    }

    /// Reads a year and the space after it.
    private mutating func takeYear() -> Int? {
        guard let year = self.scanner.takeNumber(digits: 4...4, in: Self.years) else { return nil }
        self.scanner.skipSpace()
        return year
    }

    private mutating func readDateRange(year: Int?) throws(OpeningHoursError) -> DateRange {
        var range = DateRange(first: try self.readYearDay(), firstYear: year)
        let before = self.scanner.offset
        self.scanner.skipSpace()
        guard self.scanner.take("-") else {
            self.scanner.goBack(to: before)
            return range
        }
        self.scanner.skipSpace()
        range.lastYear = self.takeYear()
        if case .day(let month, _) = range.first.base, let day = self.takeDay() {
            range.last = YearDay(base: .day(month: month, day: day))
        } else {
            range.last = try self.readYearDay()
        }
        return range
    }

    private mutating func readYearDay() throws(OpeningHoursError) -> YearDay {
        if self.scanner.takeWord("easter") { return YearDay(base: .easter, offset: self.readDayOffset()) }
        guard let month = self.scanner.takeOne(of: Self.months) else { throw self.unexpected }
        let before = self.scanner.offset
        self.scanner.skipSpace()
        guard let day = self.takeDay() else {
            self.scanner.goBack(to: before)
            return YearDay(base: .month(month + 1))
        }
        return YearDay(base: .day(month: month + 1, day: day), offset: self.readDayOffset())
    }

    /// Reads a day of the month, unless it is the hour of a time.
    private mutating func takeDay() -> Int? {
        let before = self.scanner.offset
        if let day = self.scanner.takeNumber(digits: 1...2, in: 1...31),
            self.scanner.peek() != UInt8(ascii: ":") || self.scanner.peek(1) == UInt8(ascii: " ")
        {
            return day
        }
        self.scanner.goBack(to: before)
        return nil
    }

    /// Reads `+1 day`, `-2 days`; zero if there is none.
    mutating func readDayOffset() -> Int {
        let before = self.scanner.offset
        self.scanner.skipSpace()
        let isBack = self.scanner.startsWith("-")
        if self.scanner.take("+") || self.scanner.take("-"),
            let days = self.scanner.takeNumber(digits: 1...3, in: 1...366)
        {
            self.scanner.skipSpace()
            if self.scanner.takeWord("days") || self.scanner.takeWord("day") { return isBack ? -days : days }
        }
        self.scanner.goBack(to: before)
        return 0
    }
}
