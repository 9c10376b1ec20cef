/// A DATE-TIME: `yyyy-MM-ddTHH:mm:ss±hh:mm`, or `Z`; fractions of a second are accepted.
package struct DateTime: Hashable, Sendable {
    /// Seconds since 1970. Without an offset, UTC is assumed.
    package let seconds: Double
    package let hasOffset: Bool

    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = Self.digits(4, &rest), Self.take("-", &rest), let month = Self.digits(2, &rest),
            Self.take("-", &rest), let day = Self.digits(2, &rest), Self.take("T", &rest),
            let hour = Self.digits(2, &rest), Self.take(":", &rest), let minute = Self.digits(2, &rest),
            Self.take(":", &rest), let second = Self.digits(2, &rest),
            1...12 ~= month, 1...Self.days(of: month, in: year) ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = 0.0
        if Self.take(".", &rest) {
            let digits = rest.prefix(while: \.isDigit)
            guard !digits.isEmpty, let value = Double("0." + String(decoding: digits.prefix(9), as: UTF8.self))
            else { return nil }
            fraction = value
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
        let time = Double(hour * 3600 + minute * 60 + second) + fraction
        self.seconds = Double(Self.days(to: year, month, day)) * 86_400 + time - Double(offset ?? 0) * 60
        self.hasOffset = offset != nil
    }

    /// The offset in minutes east of UTC; `.some(nil)` if there is none, nil if it is malformed.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int?? {
        if rest.isEmpty { return .some(.none) }
        if self.take("Z", &rest) { return .some(0) }
        let isWest = rest.first == UInt8(ascii: "-")
        guard self.take("+", &rest) || self.take("-", &rest), let hours = self.digits(2, &rest),
            self.take(":", &rest), let minutes = self.digits(2, &rest), hours < 24, minutes < 60
        else { return nil }
        return .some((isWest ? -1 : 1) * (hours * 60 + minutes))
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func days(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days from 1970-01-01 in the Gregorian calendar.
    private static func days(to year: Int, _ month: Int, _ day: Int) -> Int {
        // The year begins in March, so that the leap day comes last.
        let year = month <= 2 ? year - 1 : year
        let month = month <= 2 ? month + 9 : month - 3
        let leaps = year / 4 - year / 100 + year / 400
        return 365 * year + leaps + (153 * month + 2) / 5 + day - 1 - 719_468
    }
}
