extension RuleParser {
    private static let weekdays: [StaticString] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// Nil if there is no selector of days.
    mutating func readDays() throws(OpeningHoursError) -> DaySelector? {
        self.scanner.skipSpace()
        guard Self.startsDay(self.scanner) else { return nil }
        var days = DaySelector()
        try self.readDayList(into: &days)
        let before = self.scanner.offset
        self.scanner.skipSpace()
        // On holidays, but only on these weekdays.
        if days.weekdays.isEmpty, Self.startsWeekday(self.scanner) {
            try self.readDayList(into: &days)
            days.needsBoth = true
        } else {
            self.scanner.goBack(to: before)
        }
        return days
    }

    private static func startsDay(_ scanner: Scanner) -> Bool {
        self.startsWeekday(scanner) || scanner.startsWith("PH") || scanner.startsWith("SH")
    }

    private static func startsWeekday(_ scanner: Scanner) -> Bool {
        self.weekdays.contains { scanner.startsWith($0) }
    }

    private mutating func readDayList(into days: inout DaySelector) throws(OpeningHoursError) {
        var weekdays: [WeekdayRange] = []
        var holidays: [HolidaySelector] = []
        var exceptionTexts: [String] = []
        _ = try self.readList(Self.startsDay) { (parser: inout RuleParser) throws(OpeningHoursError) in
            let start = parser.scanner.offset
            if parser.scanner.take("PH") {
                holidays.append(HolidaySelector(kind: .publicHoliday, offset: parser.readDayOffset()))
            } else if parser.scanner.take("SH") {
                holidays.append(HolidaySelector(kind: .schoolHoliday, offset: parser.readDayOffset()))
            } else {
                let range = try parser.readWeekdays()
                weekdays.append(range)
                if range.ordinals.isEmpty { return }
            }
            exceptionTexts.append(parser.scanner.text(from: start))
        }
        days.weekdays += weekdays
        days.holidays += holidays
        days.exceptionTexts += exceptionTexts
    }

    private mutating func readWeekdays() throws(OpeningHoursError) -> WeekdayRange {
        guard let first = self.scanner.takeOne(of: Self.weekdays) else { throw self.unexpected }
        var range = WeekdayRange(first: first, last: first)
        if self.scanner.take("[") {
            repeat { range.ordinals.append(try self.readOrdinals()) } while self.scanner.take(",")
            guard self.scanner.take("]") else { throw self.unexpected }
            range.offset = self.readDayOffset()
            return range
        }
        let before = self.scanner.offset
        self.scanner.skipSpace()
        guard self.scanner.take("-") else {
            self.scanner.goBack(to: before)
            return range
        }
        self.scanner.skipSpace()
        guard let last = self.scanner.takeOne(of: Self.weekdays) else { throw self.unexpected }
        range.last = last
        return range
    }

    /// `1`, `-1`, `2-3`
    private mutating func readOrdinals() throws(OpeningHoursError) -> ClosedRange<Int> {
        let isFromEnd = self.scanner.take("-")
        guard let first = self.scanner.takeNumber(digits: 1...1, in: 1...5) else { throw self.unexpected }
        if isFromEnd { return -first ... -first }
        guard self.scanner.take("-") else { return first...first }
        guard let last = self.scanner.takeNumber(digits: 1...1, in: first...5) else { throw self.unexpected }
        return first...last
    }
}
