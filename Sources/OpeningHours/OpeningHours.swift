/// When something is open: a text in the syntax of OpenStreetMap's `opening_hours`, which IMDF's HOURS are in.
///
/// What it means:
/// - `;` begins a rule that replaces what the rules before say of the days that it names, `,` one that adds to them, and what
///   follows `||` counts where everything before says nothing. `off` with times takes just these times away.
/// - What begins on one day and passes midnight belongs to the day on which it began: `Fr 18:00-02:00; Sa off` is open in the
///   night to Saturday. Only times of Saturday itself, in a later rule, end it sooner.
/// - A comment without `open`, `closed` or `off` makes a rule ``State/unknown``: somebody has to read it.
/// - `18:00+` is open until midnight; from the end of `10:00-18:00+` until midnight nothing is known.
/// - Times of the sun are unknown, as they depend on where the place lies: from midnight or noon on before them, and until
///   noon or midnight behind them.
/// - `PH` and `SH` are the days of ``Holidays``; where none are given, no day is a holiday (``namesHolidays`` tells that this
///   may be wrong).
///
/// Reading and answering take bounded time, whatever the text is.
public struct OpeningHours: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case open, closed, unknown
    }

    /// A longer text is none.
    public static let maximumLength = 4_096

    /// As it was written.
    public let text: String
    /// The rules before, between and behind `||`.
    let groups: [[Rule]]

    /// Reads a text.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public init(_ text: String) throws(OpeningHoursError) {
        var parser = RuleParser(text)
        self.groups = try parser.readAll()
        self.text = text
    }

    /// Whether the answers depend on which days are holidays.
    public var namesHolidays: Bool {
        self.groups.joined().contains { $0.days?.holidays.isEmpty == false }
    }
}

extension OpeningHours: CustomStringConvertible {
    public var description: String { self.text }
}
