/// Reads rules. A rule has selectors (years, months, weeks, then days of the week, then times), then `open`, `closed`, `off` or
/// `unknown`, and a comment in quotation marks. Each part is optional, but at least one is required.
struct RuleParser {
    /// The limit of groups.
    private static let maximumGroups = 16

    var scanner: Scanner
    private let isTooLong: Bool

    init(_ text: String) {
        self.isTooLong = text.utf8.count > OpeningHours.maximumLength
        self.scanner = Scanner(self.isTooLong ? "" : text)
    }

    /// The rules, in groups separated by `||`.
    mutating func readAll() throws(OpeningHoursError) -> [[HoursRule]] {
        guard !self.isTooLong else { throw .tooLong }
        var groups: [[HoursRule]] = [[]]
        var isAdditional = false
        while true {
            var rule = try self.readRule()
            rule.isAdditional = isAdditional
            groups[groups.count - 1].append(rule)
            if self.scanner.isAtEnd { return groups }
            isAdditional = false
            if self.scanner.take(";") {
                self.scanner.skipSpace()
                if self.scanner.isAtEnd { return groups }  // a semicolon at the end is allowed
            } else if groups.count < Self.maximumGroups, self.scanner.take("||") {
                groups.append([])
            } else if self.scanner.take(",") {
                isAdditional = true
            } else {
                throw self.unexpected
            }
        }
    }

    var unexpected: OpeningHoursError { .unexpected(offset: self.scanner.offset) }

    /// Reads a rule and the white space around it.
    private mutating func readRule() throws(OpeningHoursError) -> HoursRule {
        self.scanner.skipSpace()
        let start = self.scanner.offset
        var rule = HoursRule()
        try self.readDates(into: &rule)
        rule.days = try self.readDays()
        let endOfDays = self.scanner.offset
        self.scanner.skipSpace()
        if !self.scanner.take("24/7") { rule.times = try self.readTimes() }
        try self.readModifier(into: &rule)
        guard self.scanner.offset > start else { throw self.unexpected }
        rule.text = Self.trimmed(self.scanner.text(from: start))
        rule.exceptionText = Self.exceptionText(of: rule, afterDays: self.scanner.text(from: endOfDays))
        return rule
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    /// - Parameter rest: The text of the rule after its days.
    private static func exceptionText(of rule: HoursRule, afterDays rest: String) -> String? {
        guard !rule.isWeekly else { return nil }
        // Only days can be exceptions in part.
        guard let days = rule.days, rule.years.isEmpty, rule.dates.isEmpty, rule.weeks.isEmpty, !days.needsBoth else {
            return rule.text
        }
        return self.trimmed(days.exceptionTexts.joined(separator: ",") + rest)
    }

    private mutating func readModifier(into rule: inout HoursRule) throws(OpeningHoursError) {
        self.scanner.skipSpace()
        var state: OpeningHours.State?
        if self.scanner.takeWord("open") {
            state = .open
        } else if self.scanner.takeWord("closed") || self.scanner.takeWord("off") {
            state = .closed
        } else if self.scanner.takeWord("unknown") {
            state = .unknown
        }
        self.scanner.skipSpace()
        if self.scanner.take("\"") {
            guard let comment = self.scanner.takeQuoted() else { throw self.unexpected }
            rule.comment = comment
        }
        self.scanner.skipSpace()
        rule.state = state ?? (rule.comment == nil ? .open : .unknown)
    }

    /// Reads a list while a comma is followed by another element.
    mutating func readList<Element>(
        _ follows: (Scanner) -> Bool, _ read: (inout RuleParser) throws(OpeningHoursError) -> Element
    ) throws(OpeningHoursError) -> [Element] {
        var elements = [try read(&self)]
        while true {
            let before = self.scanner.offset
            self.scanner.skipSpace()
            guard self.scanner.take(",") else {
                self.scanner.goBack(to: before)
                return elements
            }
            self.scanner.skipSpace()
            guard follows(self.scanner) else {
                self.scanner.goBack(to: before)
                return elements
            }
            elements.append(try read(&self))
        }
    }
}
