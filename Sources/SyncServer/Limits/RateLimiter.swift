import HTTPTypes
import Hummingbird

/// Counts what everybody sends, in a table that does not grow however many keys and addresses are made up.
///
/// **Who is counted** is a key at an address: phones that share a key are counted each for itself, or those of one network
/// together. **Wrong keys** are counted by their address alone, and when it has sent too many, keys that did not prove right
/// before are not looked up for it any more; those that did are still served, so that one client that guesses does not lock its
/// neighbours out.
package final class RateLimiter: Sendable {
    /// Of those whose key is right, and of those who need none; nil for none.
    private let limit: RateLimit?
    private let proxies: Int
    private let clock: @Sendable () -> Double
    private let refused: Counter

    private let callers = RecentTable<RateLimit.Bucket>(capacity: 1 << 16)
    private let strangers = RecentTable<RateLimit.Bucket>(capacity: 1 << 14)
    /// Keys at addresses that were right when they were sent last.
    private let proven = RecentTable<Bool>(capacity: 1 << 16)

    /// A person who mistypes never comes near it. A server that guesses gets nowhere, and does not keep the database busy.
    package static let wrongKeys = RateLimit(perSecond: 5, burst: 100)

    package init(
        limit: RateLimit?, behind proxies: Int = 0, metrics: Metrics,
        clock: @escaping @Sendable () -> Double = RateLimiter.uptime
    ) {
        self.limit = limit
        self.proxies = proxies
        self.clock = clock
        self.refused = metrics.counter(
            "venue_rate_limited_total", help: "Requests refused because there were too many.")
    }

    private static let start = ContinuousClock.now
    @Sendable package static func uptime() -> Double { (ContinuousClock.now - Self.start) / .seconds(1) }

    struct Caller {
        /// Hashes with a seed that nobody knows: nobody can make up two that collide.
        let id: UInt64
        let address: UInt64
        let hasKey: Bool
    }

    /// Who is asking; nil for whom nothing is counted.
    func caller(of request: Request, in context: VenueContext) -> Caller? {
        let key = request.headers[.authorization]
        guard self.limit != nil || key != nil else { return nil }
        let address = ClientAddress(of: request, from: context.channel.remoteAddress, behind: self.proxies)
        return Caller(
            id: Self.hash(key, address), address: Self.hash(address, 0), hasKey: key != nil)
    }

    private static func hash(_ first: some Hashable, _ second: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(first)
        hasher.combine(second)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Nil when the request may go on, else the seconds to wait.
    func refusal(of caller: Caller) -> Double? {
        let now = self.clock()
        var wait: Double?
        if caller.hasKey, !self.proven.touch(caller.id) {
            // First, so that keys that are made up leave nothing behind.
            wait = self.strangers.value(of: caller.address).flatMap { bucket in
                var bucket = bucket
                return bucket.wait(Self.wrongKeys, at: now)
            }
        }
        if wait == nil, let limit {
            wait = self.callers.update(caller.id, default: RateLimit.Bucket(limit, at: now)) {
                $0.take(limit, at: now)
            }
        }
        if wait != nil { self.refused.add() }
        return wait
    }

    /// Learns from the answer whether the key was right.
    func learn(_ status: HTTPResponse.Status, of caller: Caller) {
        guard caller.hasKey else { return }
        if status == .unauthorized {
            self.proven.remove(caller.id)
            let now = self.clock()
            _ = self.strangers.update(caller.address, default: RateLimit.Bucket(Self.wrongKeys, at: now)) {
                $0.take(Self.wrongKeys, at: now)
            }
        } else if Self.proves(status) {
            self.proven.set(caller.id, to: true)
        }
    }

    /// Whether only a right key comes so far, venues that are public apart.
    private static func proves(_ status: HTTPResponse.Status) -> Bool {
        status.kind == .successful || status == .notModified || status == .forbidden
    }
}
