public import Foundation

/// When to ask again after a request that failed.
///
/// The pause grows twofold from failure to failure and is partly chance, so that clients which failed together do not come back
/// together. A server that says when to come back (`Retry-After`) is taken at its word.
public struct RetryPolicy: Sendable {
    /// How often ``VenueReplica/sync(levels:)`` sends one request before it gives up, when pages that were read would be lost by
    /// that. The first request of a change set is sent once: nothing is lost yet.
    public var attempts = 4
    /// The pause after the first failure.
    public var shortest: Duration = .seconds(1)
    /// Pauses grow up to this.
    public var longest: Duration = .seconds(300)
    /// A `Retry-After` that asks for more is taken for this.
    public var longestWish: Duration = .seconds(3600)
    /// What tests replace: a clock that does not take its time.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Evenly spread from 0 up to, but not, 1.
    public var chance: @Sendable () -> Double = { .random(in: 0..<1) }
    /// What a `Retry-After` that is a date is compared with.
    public var now: @Sendable () -> Date = { Date() }

    public init() {}

    /// How long to wait after so many failures in a row: half of a span that doubles each time, and up to the other half by chance.
    /// What the server wishes for takes the place of the first half.
    func pause(after failures: Int, wish: Duration?) -> Duration {
        let doublings = min(max(failures, 1) - 1, 30)
        let span = min(self.shortest * (1 << doublings), self.longest)
        return min(wish ?? span / 2, self.longestWish) + span / 2 * self.chance()
    }

    /// Seconds, or a date as HTTP writes it (RFC 9110 §10.2.3); nil for anything else.
    func wish(_ retryAfter: String?) -> Duration? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int64(text).map { min(.seconds($0), self.longestWish) } ?? self.longestWish
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(self.now())))
    }
}

extension Duration {
    fileprivate static func * (span: Duration, share: Double) -> Duration {
        .nanoseconds(Int64(span / .nanoseconds(1) * share))
    }
}
