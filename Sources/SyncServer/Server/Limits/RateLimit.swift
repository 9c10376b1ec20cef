/// The number of requests that a client may send: a burst at once, and a number per second after that (token bucket).
package struct RateLimit: Hashable, Sendable {
    package var perSecond: Double
    package var burst: Double

    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// Parses `200`, or `200:1000` for a burst of 1000. The default burst is that of ten seconds.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...2).contains(parts.count), let perSecond = parts[0],
            let burst = parts.count == 2 ? parts[1] : perSecond * 10,
            perSecond.isFinite, burst.isFinite, perSecond >= Self.minPerSecond, burst >= 1
        else { return nil }
        self.init(perSecond: perSecond, burst: burst)
    }

    /// One per day. A lower rate is refused as a mistake.
    private static let minPerSecond = 1.0 / 86_400

    /// The rest of a burst, which is refilled over time.
    package struct Bucket: Sendable {
        private var tokens: Double
        /// In seconds of any clock.
        private var time: Double

        package init(_ limit: RateLimit, at now: Double) {
            self.tokens = limit.burst
            self.time = now
        }

        /// Takes one token. Returns nil, or the seconds until there will be one.
        package mutating func take(_ limit: RateLimit, at now: Double) -> Double? {
            let wait = self.wait(limit, at: now)
            if wait == nil { self.tokens -= 1 }
            return wait
        }

        /// Nil when there is a token, else the seconds until there will be one.
        package mutating func wait(_ limit: RateLimit, at now: Double) -> Double? {
            // Neither a clock that goes back nor a changed limit adds tokens.
            self.tokens = min(limit.burst, self.tokens + max(now - self.time, 0) * limit.perSecond)
            self.time = now
            return self.tokens >= 1 ? nil : (1 - self.tokens) / limit.perSecond
        }
    }
}
