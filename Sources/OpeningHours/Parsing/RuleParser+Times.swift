extension RuleParser {
    /// Empty if there are no times.
    mutating func readTimes() throws(OpeningHoursError) -> [TimeSpan] {
        guard Self.startsTime(self.scanner) else { return [] }
        return try self.readList(Self.startsTime) { (parser: inout RuleParser) throws(OpeningHoursError) in
            try parser.readTimeSpan()
        }
    }

    private static func startsTime(_ scanner: Scanner) -> Bool {
        // A year is not a time; it begins another rule.
        scanner.startsWithDigit() && !self.startsYear(scanner) || scanner.startsWith("(")
            || scanner.startsWith("sunrise")
            || scanner.startsWith("sunset") || scanner.startsWith("dawn") || scanner.startsWith("dusk")
    }

    private mutating func readTimeSpan() throws(OpeningHoursError) -> TimeSpan {
        var span = TimeSpan(start: try self.readMoment(latest: 24))
        if self.scanner.take("+") {
            span.isOpenEnded = true
            return span
        }
        self.scanner.skipSpace()
        guard self.scanner.take("-") else { throw self.unexpected }
        self.scanner.skipSpace()
        span.end = try self.readMoment(latest: 48)
        span.isOpenEnded = self.scanner.take("+")
        return span
    }

    private mutating func readMoment(latest: Int) throws(OpeningHoursError) -> TimeSpan.Moment {
        let isInBrackets = self.scanner.take("(")
        guard let isMorning = self.takeEvent() else {
            guard !isInBrackets else { throw self.unexpected }
            return .clock(try self.readClock(latest: latest))
        }
        var offset = 0
        if isInBrackets {
            let isBefore = self.scanner.startsWith("-")
            guard self.scanner.take("+") || self.scanner.take("-") else { throw self.unexpected }
            offset = try self.readClock(latest: 23) * (isBefore ? -1 : 1)
            guard self.scanner.take(")") else { throw self.unexpected }
        }
        return isMorning ? .morning(offset: offset) : .evening(offset: offset)
    }

    /// Reads an event of the sun; true if it is in the morning, nil if there is none.
    private mutating func takeEvent() -> Bool? {
        if self.scanner.takeWord("sunrise") || self.scanner.takeWord("dawn") { return true }
        if self.scanner.takeWord("sunset") || self.scanner.takeWord("dusk") { return false }
        return nil
    }

    private mutating func readClock(latest: Int) throws(OpeningHoursError) -> Int {
        guard let hour = self.scanner.takeNumber(digits: 1...2, in: 0...latest), self.scanner.take(":"),
            let minute = self.scanner.takeNumber(digits: 2...2, in: 0...59), hour < latest || minute == 0
        else { throw self.unexpected }
        return hour * 60 + minute
    }
}
