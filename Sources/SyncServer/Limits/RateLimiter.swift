import HTTPTypes
import Hummingbird

/// Counts what everybody sends, in a table that does not grow however many keys and addresses are made up.
///
/// **Who is counted** is a key at an address: phones that share a key are counted each for itself, or those of one network
/// together. A key counts as one only when it is right: whoever makes keys up is counted by the address, as without any, also at
/// public venues, where nothing is refused for a wrong key. **Wrong keys** that were refused are counted by their address as
/// well, and when it has sent too many, no key is looked up for it that the node does not know to be right: one client that
/// guesses does not lock its neighbours out.
package final class RateLimiter: Sendable {
    /// Of those whose key is right, and of those who need none; nil for none.
    private let limit: RateLimit?
    private let proxies: Int
    private let clock: @Sendable () -> Double
    /// Whether what a request says of its key is known to be right, from memory.
    private let isRight: @Sendable (_ authorization: String) -> Bool
    private let refused: Counter

    private let callers = RecentTable<RateLimit.Bucket>(capacity: 1 << 16)
    private let strangers = RecentTable<RateLimit.Bucket>(capacity: 1 << 14)
    /// Keys at addresses that were right when they were looked at last.
    private let proven = RecentTable<Bool>(capacity: 1 << 16)

    /// A person who mistypes never comes near it. A server that guesses gets nowhere, and does not keep the database busy.
    package static let wrongKeys = RateLimit(perSecond: 5, burst: 100)

    package init(
        limit: RateLimit?, behind proxies: Int = 0, metrics: Metrics,
        clock: @escaping @Sendable () -> Double = RateLimiter.uptime,
        isRight: @escaping @Sendable (_ authorization: String) -> Bool
    ) {
        self.limit = limit
        self.proxies = proxies
        self.clock = clock
        self.isRight = isRight
        self.refused = metrics.counter(
            "venue_rate_limited_total", help: "Requests refused because there were too many.")
    }

    private static let start = ContinuousClock.now
    @Sendable package static func uptime() -> Double { (ContinuousClock.now - Self.start) / .seconds(1) }

    struct Principal {
        /// Of the key at the address when the key is right, else of the address. Hashes with a seed that nobody knows: nobody can
        /// make up two that collide.
        let id: UInt64
        let address: UInt64
        let key: Key

        enum Key { case none, right, unknown }
    }

    /// Who is asking; nil for whom nothing is counted.
    func caller(of request: Request, in context: VenueContext) -> Principal? {
        let key = request.headers[.authorization]
        guard self.limit != nil || key != nil else { return nil }
        let address = ClientAddress(of: request, from: context.channel.remoteAddress, behind: self.proxies)
        let place = Self.hash(address, 0)
        guard let key else { return Principal(id: place, address: place, key: .none) }
        let id = Self.hash(key, address)
        if self.proven.touch(id) { return Principal(id: id, address: place, key: .right) }
        guard self.isRight(key) else { return Principal(id: place, address: place, key: .unknown) }
        self.proven.set(id, to: true)
        return Principal(id: id, address: place, key: .right)
    }

    private static func hash(_ first: some Hashable, _ second: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(first)
        hasher.combine(second)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Nil when the request may go on, else the seconds to wait.
    func refusal(of caller: Principal) -> Double? {
        guard let limit else { return nil }
        let now = self.clock()
        return self.counted(
            self.callers.update(caller.id, default: RateLimit.Bucket(limit, at: now)) { $0.take(limit, at: now) })
    }

    /// Nil when a key that nobody knows yet may be looked up, else the seconds until one may be.
    func refusalToLookUp(_ caller: Principal) -> Double? {
        guard case .unknown = caller.key, var bucket = self.strangers.value(of: caller.address) else { return nil }
        return bucket.wait(Self.wrongKeys, at: self.clock())
    }

    /// Counts a refusal, if it is one.
    func counted(_ wait: Double?) -> Double? {
        if wait != nil { self.refused.add() }
        return wait
    }

    /// Learns from the answer that the key was wrong.
    func learn(_ status: HTTPResponse.Status, of caller: Principal) {
        guard status == .unauthorized else { return }
        switch caller.key {
        case .none: break
        case .right: self.proven.remove(caller.id)  // it was revoked
        case .unknown:
            let now = self.clock()
            _ = self.strangers.update(caller.address, default: RateLimit.Bucket(Self.wrongKeys, at: now)) {
                $0.take(Self.wrongKeys, at: now)
            }
        }
    }
}
