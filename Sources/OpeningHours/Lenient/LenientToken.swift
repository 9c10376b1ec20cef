/// An element of opening hours that people wrote for people.
enum LenientToken: Hashable {
    /// Days of the week (bits 0 to 6, Monday first) and public holidays (bit 7).
    case days(LenientDays)
    case time(LenientTime)
    /// Before a time: `AM`, `午後`.
    case meridiem(LenientTime.Meridiem)
    /// The time after it is on the next day: `翌`.
    case nextDay
    /// `-`, `to`, `〜`
    case to
    /// `,`, `and`, `・`
    case and
    /// `;`, or the end of a line.
    case end
    case colon
    /// `closed`, `定休日`
    case closed
    /// `temporarily closed`: closed on every day, as the only word of the text.
    case shut
    /// `24 hours`
    case always
    /// `年中無休`: open on every day, without times.
    case everyDay
    /// `open`, `営業時間`: words without a meaning of their own.
    case filler
    /// A remark in brackets, or before a time, that does not change the opening hours: `L.O.`.
    case remark
    case openBracket
    case closeBracket
}

struct LenientDays: OptionSet, Hashable {
    let rawValue: UInt8

    static let week = LenientDays(rawValue: 0b0111_1111)
    static let workdays = LenientDays(rawValue: 0b0001_1111)
    static let weekend = LenientDays(rawValue: 0b0110_0000)
    static let publicHolidays = LenientDays(rawValue: 0b1000_0000)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// 0 is Monday.
    init(weekday: Int) {
        self.rawValue = 1 << UInt8(weekday)
    }

    /// The weekday, if it is exactly one.
    var weekday: Int? {
        self.rawValue.nonzeroBitCount == 1 && self != .publicHolidays ? self.rawValue.trailingZeroBitCount : nil
    }

    /// From one weekday to another, perhaps over the weekend.
    static func range(_ first: Int, _ last: Int) -> LenientDays {
        let count = (last - first + 7) % 7
        return (0...count).reduce(into: []) { $0.insert(LenientDays(weekday: (first + $1) % 7)) }
    }

    /// In the strict syntax: `Mo-Fr,Su,PH`.
    var text: String {
        let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su", "PH"]
        var parts: [String] = []
        var index = 0
        while index < 8 {
            let start = index
            while index < 7, self.contains(LenientDays(weekday: index)) { index += 1 }
            switch index - start {
            case 0:
                if index == 7, self.contains(.publicHolidays) { parts.append(names[7]) }
                index += 1
            case 1, 2: parts += names[start..<index]
            default: parts.append("\(names[start])-\(names[index - 1])")
            }
        }
        return parts.joined(separator: ",")
    }
}

/// A time as it was written.
struct LenientTime: Hashable {
    enum Meridiem: Hashable {
        case morning, afternoon
    }

    var hour: Int
    var minute = 0
    /// Whether it is written as a time, such as `9:00` and `9時`, and not as a number.
    var isClock = false
    var meridiem: Meridiem?
    var isNextDay = false
}
