/// Opening hours in the syntax of OpenStreetMap's `opening_hours`, which IMDF uses for HOURS.
///
/// The rules of evaluation:
/// - `;` begins a rule that replaces the previous rules on its days, `,` a rule that adds to them. Rules after `||` apply where no
///   previous rule does. `off` with times removes only these times.
/// - A time span that passes midnight belongs to the day on which it begins: `Fr 18:00-02:00; Sa off` is open in the night to Saturday.
///   Only times of Saturday in a later rule end it earlier.
/// - A rule with a comment and without `open`, `closed` or `off` is ``State/unknown``, because a person has to read the comment.
/// - `18:00+` is open until midnight. After it, and after the end of `10:00-18:00+`, the state is unknown until the next span of the rule, or
///   else until six in the morning.
/// - Times of sunrise and sunset depend on the location, so the state is unknown around them: from midnight or noon before, and until
///   noon or midnight after them.
/// - `PH` and `SH` are the days of ``Holidays``. Without these, no day is a holiday; ``namesHolidays`` is true if that may be wrong.
///
/// Reading and evaluating take bounded time for any text.
public struct OpeningHours: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case open, closed, unknown
    }

    /// The maximum length of a text in bytes.
    public static let maximumLength = 4_096

    /// The text as it was written.
    public let text: String
    /// The same hours in the strict syntax; equal to ``text`` unless ``isLenient``.
    public let strictText: String
    /// Whether the text is not in the strict syntax and was understood by ``init(lenient:)``.
    public let isLenient: Bool
    /// The rules, in groups separated by `||`.
    let groups: [[HoursRule]]

    /// Reads a text.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public init(_ text: String) throws(OpeningHoursError) {
        var parser = RuleParser(text)
        self.groups = try parser.readAll()
        self.text = text
        self.strictText = text
        self.isLenient = false
    }

    /// The hours of a text that was translated into the strict syntax.
    init(text: String, _ strict: OpeningHours) {
        self.text = text
        self.strictText = strict.text
        self.isLenient = true
        self.groups = strict.groups
    }

    /// Whether the state depends on holidays.
    public var namesHolidays: Bool {
        self.groups.joined().contains { $0.days?.holidays.isEmpty == false }
    }
}

extension OpeningHours: CustomStringConvertible {
    public var description: String { self.text }
}
