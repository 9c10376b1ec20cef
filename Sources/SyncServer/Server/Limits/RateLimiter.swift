import HTTPTypes
import Hummingbird
import NIOCore

/// Counts the requests of clients, in tables of bounded size.
///
/// **A client** is a key at an address, if the key is valid: devices that share a key are counted separately, and so are keys of one
/// network. Every other request is counted by its address alone, so that made-up keys gain nothing.
///
/// **Wrong keys** and tokens that were refused are counted by address, too. When an address has sent too many, only keys in the read model are
/// accepted from it: a client that guesses keys occupies neither the database nor its neighbors.
package final class RateLimiter: Sendable {
    /// Nil for no limit.
    private let limit: RateLimit?
    private let proxies: Int
    private let clock: @Sendable () -> Double
    /// Whether the read model has the key of a header field `Authorization`.
    private let isKnownKey: @Sendable (_ authorization: String) -> Bool
    /// Refused requests.
    let refused: Counter

    private let clients = ShardedLRUCache<RateLimit.Bucket>(capacity: 1 << 16)
    /// Refused keys by address.
    private let refusedKeys = ShardedLRUCache<RateLimit.Bucket>(capacity: 1 << 14)
    /// Clients whose key was valid when it was last checked.
    private let validKeys = ShardedLRUCache<Bool>(capacity: 1 << 16)

    /// Far more than a person who mistypes, and too few for guessing or for keeping the database busy.
    private static let wrongKeys = RateLimit(perSecond: 5, burst: 100)

    package init(
        limit: RateLimit?, behind proxies: Int = 0, metrics: Metrics,
        clock: @escaping @Sendable () -> Double = RateLimiter.uptime,
        isKnownKey: @escaping @Sendable (_ authorization: String) -> Bool
    ) {
        self.limit = limit
        self.proxies = proxies
        self.clock = clock
        self.isKnownKey = isKnownKey
        self.refused = metrics.counter(
            "venue_rate_limited_total", help: "Requests refused because there were too many.")
    }

    private static let start = ContinuousClock.now
    @Sendable package static func uptime() -> Double { (ContinuousClock.now - Self.start) / .seconds(1) }

    struct Client {
        /// The hash of the key and the address for a valid key, else that of the address. Hashes have a random seed, so that nobody
        /// can construct a collision.
        let id: UInt64
        let address: UInt64
        let key: Key

        enum Key { case none, valid, unknown }
    }

    /// The client that a request comes from; nil if it is not counted.
    func client(of request: Request, at address: SocketAddress?) -> Client? {
        let key = request.headers[.authorization]
        let hasToken = key == nil && request.hasToken
        guard self.limit != nil || key != nil || hasToken else { return nil }
        let clientAddress = ClientAddress(of: request, at: address, behind: self.proxies)
        let address = Self.hash(clientAddress, 0)
        // A refused token counts as a wrong key.
        guard let key else { return Client(id: address, address: address, key: hasToken ? .unknown : .none) }
        let id = Self.hash(key, clientAddress)
        if self.validKeys.touch(id) { return Client(id: id, address: address, key: .valid) }
        guard self.isKnownKey(key) else { return Client(id: address, address: address, key: .unknown) }
        self.validKeys.set(id, to: true)
        return Client(id: id, address: address, key: .valid)
    }

    private static func hash(_ first: some Hashable, _ second: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(first)
        hasher.combine(second)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Nil when the request is allowed, else the seconds to wait.
    func refusal(of client: Client, isCounted: Bool) -> Double? {
        guard let limit else { return nil }
        let now = self.clock()
        return self.clients.update(client.id, default: RateLimit.Bucket(limit, at: now)) {
            isCounted ? $0.take(limit, at: now) : $0.wait(limit, at: now)
        }
    }

    /// Nil when a key that is not in the read model may be looked up in the database, else the seconds to wait.
    func lookupRefusal(of client: Client) -> Double? {
        guard case .unknown = client.key, var bucket = self.refusedKeys.peek(client.address) else { return nil }
        return bucket.wait(Self.wrongKeys, at: self.clock())
    }

    /// Records the status of the response, which shows whether the key was valid.
    func record(_ status: HTTPResponse.Status, of client: Client) {
        guard status == .unauthorized else { return }
        switch client.key {
        case .none: break
        case .valid: self.validKeys.remove(client.id)  // revoked meanwhile
        case .unknown:
            let now = self.clock()
            _ = self.refusedKeys.update(client.address, default: RateLimit.Bucket(Self.wrongKeys, at: now)) {
                $0.take(Self.wrongKeys, at: now)
            }
        }
    }
}

extension Request {
    fileprivate var hasToken: Bool {
        self.uri.query?.utf8.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "token=".utf8) } ?? false
    }
}
