import Foundation
import OpeningHours

extension OpeningHours.State {
    init?(letter: Character) {
        switch letter {
        case "o": self = .open
        case "c": self = .closed
        case "u": self = .unknown
        default: return nil
        }
    }
}

extension CalendarDate {
    /// `2031-03-09`
    init?(_ text: Substring) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }
}

extension TimeZone {
    static func named(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else { throw UnknownTimeZone(name: name) }
        return zone
    }

    struct UnknownTimeZone: Error {
        let name: String
    }
}

extension Date {
    /// `2031-03-09T10:00:00+09:00`
    init(_ text: String) throws {
        self = try Date(text, strategy: .iso8601)
    }
}
