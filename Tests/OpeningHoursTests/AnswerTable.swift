import Foundation
import OpeningHours

/// The results of another implementation, as `Oracle/answers.py` writes it.
struct AnswerTable {
    struct Row {
        let zone: String
        /// What is understood differently; `-` where both should agree.
        let kind: String
        let expression: String
        let states: [OpeningHours.State]
        /// Nil if the result of the other implementation lies at the limit of the search.
        let changes: [Change?]
    }

    enum Change: Equatable {
        case never
        case at(Date)
    }

    private(set) var holidays = Holidays()
    private(set) var instants: [Date] = []
    private(set) var rows: [Row] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# holidays ") {
                self.holidays.publicHolidays = Set(
                    line.split(separator: " ").dropFirst(2).compactMap { CalendarDate($0) })
            } else if line.hasPrefix("# instants ") {
                self.instants = line.split(separator: " ").dropFirst(2).compactMap { Double($0) }
                    .map { Date(timeIntervalSince1970: $0) }
            } else {
                let columns = line.split(separator: "\t").map { String($0) }
                self.rows.append(
                    Row(
                        zone: columns[0], kind: columns[1], expression: columns[2],
                        states: columns[3].compactMap { OpeningHours.State(letter: $0) },
                        changes: columns[4].split(separator: ",").map { Self.change($0) }))
            }
        }
    }

    private static func change(_ text: Substring) -> Change? {
        if text == "-" { return .never }
        return Double(text).map { .at(Date(timeIntervalSince1970: $0)) }
    }

    /// A description of differing results.
    func differences(in row: Row) throws -> [String] {
        let zone = try TimeZone.named(row.zone)
        let hours = try OpeningHours(row.expression)
        var differences: [String] = []
        for (instant, state) in zip(self.instants, row.states) {
            let ours = hours.state(at: instant, in: zone, holidays: self.holidays)
            if ours != state { differences.append("\(instant): \(ours), not \(state)") }
        }
        for (instant, change) in zip(self.instants, row.changes) {
            guard let change else { continue }
            let found = hours.nextChange(after: instant, in: zone, holidays: self.holidays)
            let ours = found.map { Change.at($0) } ?? .never
            if ours != change { differences.append("after \(instant): \(ours), not \(change)") }
        }
        return differences
    }
}
