/// How many requests somebody may send: so many at once, and so many a second after that.
package struct RateLimit: Hashable, Sendable {
    package var perSecond: Double
    package var burst: Double

    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// `200`, or `200:1000`, where a thousand may come at once; ten seconds' worth unless said.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...2).contains(parts.count), let perSecond = parts[0],
            let burst = parts.count == 2 ? parts[1] : perSecond * 10,
            perSecond.isFinite, burst.isFinite, perSecond >= Self.slowest, burst >= 1
        else { return nil }
        self.init(perSecond: perSecond, burst: burst)
    }

    /// One a day. Less is refused as a mistake, as are times to wait that no number of seconds can say.
    private static let slowest = 1.0 / 86_400

    /// What is left of a burst. It fills up again while nothing comes.
    package struct Bucket: Sendable {
        private var tokens: Double
        /// In seconds, of any clock.
        private var time: Double

        package init(_ limit: RateLimit, at now: Double) {
            self.tokens = limit.burst
            self.time = now
        }

        /// Takes one request's worth. Nil when it was there, else the seconds until it will be.
        package mutating func take(_ limit: RateLimit, at now: Double) -> Double? {
            let wait = self.wait(limit, at: now)
            if wait == nil { self.tokens -= 1 }
            return wait
        }

        /// Nil when there is one request's worth, else the seconds until there will be.
        package mutating func wait(_ limit: RateLimit, at now: Double) -> Double? {
            // A clock that goes back, or a limit that changed, gives nothing away.
            self.tokens = min(limit.burst, self.tokens + max(now - self.time, 0) * limit.perSecond)
            self.time = now
            return self.tokens >= 1 ? nil : (1 - self.tokens) / limit.perSecond
        }
    }
}
