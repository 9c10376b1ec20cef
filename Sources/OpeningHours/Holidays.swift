/// The days that `PH` and `SH` stand for in the region of the venue.
public struct Holidays: Hashable, Sendable {
    public var publicHolidays: Set<CalendarDate>
    public var schoolHolidays: Set<CalendarDate>

    public init(publicHolidays: Set<CalendarDate> = [], schoolHolidays: Set<CalendarDate> = []) {
        self.publicHolidays = publicHolidays
        self.schoolHolidays = schoolHolidays
    }

    /// No day is a holiday.
    public static let none = Holidays()

    enum Kind: Hashable, Sendable {
        case publicHoliday, schoolHoliday
    }

    func contains(_ date: CalendarDate, _ kind: Kind) -> Bool {
        switch kind {
        case .publicHoliday: self.publicHolidays.contains(date)
        case .schoolHoliday: self.schoolHolidays.contains(date)
        }
    }
}
