public import Foundation

/// When to retry after a failed request: exponential backoff with jitter, or the server's `Retry-After`.
public struct RetryPolicy: Sendable {
    /// How often ``VenueReplica/sync()`` sends a request whose failure would lose pages that were already received. The first
    /// request of a change set is sent once.
    public var attempts = 4
    /// The pause after the first failure.
    public var minimumPause: Duration = .seconds(1)
    /// The limit of the exponential backoff: nobody waits longer than a minute after an outage, and a server that is down gets at most two
    /// requests a minute from a client.
    public var maximumPause: Duration = .seconds(60)
    /// The limit of a `Retry-After`.
    public var maximumRetryAfter: Duration = .seconds(3600)
    /// Suspends the task. Tests replace it.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// A uniformly distributed number from 0 up to, but not including, 1.
    public var randomFraction: @Sendable () -> Double = { .random(in: 0..<1) }
    /// The current time, which a `Retry-After` with a date is compared with.
    public var now: @Sendable () -> Date = { Date() }

    public init() {}

    /// The pause after a number of consecutive failures: half of a span that doubles each time, and a random part of the other half. If the
    /// server asks for a pause, the random part is at most half of that, however many failures there were. A pause shorter than the minimum,
    /// such as 0 or a time in the past by this clock, counts as none.
    func pause(after failures: Int, retryAfter: Duration?) -> Duration {
        let retryAfter = retryAfter.flatMap { $0 < self.minimumPause ? nil : $0 }
        let doublings = min(max(failures, 1) - 1, 30)
        let wanted = retryAfter ?? self.minimumPause * (1 << doublings)
        let span = min(max(wanted, self.minimumPause), self.maximumPause)
        return min(retryAfter ?? span / 2, self.maximumRetryAfter) + span / 2 * self.randomFraction()
    }

    /// Parses a `Retry-After` header: seconds, or an HTTP date (RFC 9110 §10.2.3); nil for anything else.
    func retryAfter(_ header: String?) -> Duration? {
        guard let text = header?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int64(text).map { min(.seconds($0), self.maximumRetryAfter) } ?? self.maximumRetryAfter
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return min(.seconds(max(0, date.timeIntervalSince(self.now()))), self.maximumRetryAfter)
    }
}

extension Duration {
    fileprivate static func * (span: Duration, factor: Double) -> Duration {
        .nanoseconds(Int64(span / .nanoseconds(1) * factor))
    }
}
