extension OpeningHours {
    /// Reads a text in the strict syntax, or else as people write opening hours in English or Japanese: `9am to 5pm`,
    /// `Mon-Fri 9-5, Sat closed`, `24 hours`, `月〜金 10:00〜20:00（L.O. 19:30）`, `定休日：火曜`.
    ///
    /// The second reading is only used where nothing else can be meant, and then ``isLenient`` is true and ``strictText`` has the same
    /// hours in the strict syntax. Its rules:
    /// - A number without am, pm or minutes is a time only in ranges that cannot be misunderstood: `9-5` is 09:00–17:00 and `9-17` too,
    ///   but `10-2` (until the afternoon or the night?), `9-12` and `8-10pm` are refused. A time such as `10:00` counts 24 hours, so
    ///   `9:00 to 5:00` is refused.
    /// - Days that are not named are closed if the times of others are. If only closed days are known, the others are ``State/unknown``;
    ///   `年中無休` without times is unknown on all days. `Closed`, `Temporarily closed` and `休業中` alone are closed on all days.
    /// - A later rule may be an exception on some days of an earlier one; other overlaps are refused. `平日` leaves public holidays
    ///   unknown unless they are named.
    /// - Remarks about the last order or entry do not change the hours. Everything else that is not understood refuses the text.
    ///
    /// - Throws: The error of the strict syntax.
    /// - Complexity: O(*n*) in the length of the text.
    public init(lenient text: String) throws(OpeningHoursError) {
        do {
            try self.init(text)
        } catch {
            guard text.utf8.count <= Self.maximumLength, let tokens = LenientLexer.tokens(of: text),
                let strictText = LenientReader.text(of: tokens), let strict = try? OpeningHours(strictText)
            else { throw error }
            self.init(text: text, strict)
        }
    }
}
