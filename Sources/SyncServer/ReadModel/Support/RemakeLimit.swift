import Caching
import Synchronization

/// Bounds the work on values that are too large for their cache. Of these the cache keeps only the last one, so requests for two of them in
/// turns would make one with each request.
///
/// That is allowed for the work of a minute; afterwards at most a third of the time may go to it, measured with the turns of others. A
/// request for a value that is known to be too large is refused meanwhile. The first time that a value is made counts, but is never
/// refused.
final class RemakeLimit<Key: Hashable & Sendable>: Sendable {
    /// How much work may be done at once.
    private static var allowance: Duration { .seconds(60) }
    /// How much longer the work has to be paid for than it takes.
    private static var price: Int { 3 }

    private let now: @Sendable () -> ContinuousClock.Instant
    /// Values that were too large when they were made.
    private let large = LRUCache<Key, Bool>(cost: 2_000)
    /// When all work so far is paid for.
    private let paidAt: Mutex<ContinuousClock.Instant>

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
        self.paidAt = Mutex(now())
    }

    /// Makes a value.
    ///
    /// - Parameter isLarge: Whether a value is too large for the cache.
    /// - Throws: ``RemakeRefused``, besides what the work throws.
    func make<Value>(
        _ key: Key, isLarge: (Value) -> Bool, _ work: () async throws -> Value
    ) async throws -> Value {
        let wasLarge = self.large.value(for: key) != nil
        if wasLarge { try self.check() }
        let start = self.now()
        do {
            let value = try await work()
            if isLarge(value) {
                self.large.keep(true, for: key, cost: 1)
                self.charge(since: start)
            }
            return value
        } catch {
            // Its client has left, for example. It has cost time nevertheless.
            if wasLarge { self.charge(since: start) }
            throw error
        }
    }

    private func check() throws(RemakeRefused) {
        let debt = self.paidAt.withLock { $0 } - self.now()
        let excess = debt - Self.allowance * Self.price
        if excess > .zero { throw RemakeRefused(retryInterval: excess) }
    }

    private func charge(since start: ContinuousClock.Instant) {
        let now = self.now()
        self.paidAt.withLock { $0 = max($0, now) + (now - start) * Self.price }
    }
}

/// A value would be made again too soon, because it does not fit into its cache.
struct RemakeRefused: Error, Hashable {
    /// How long the value is not made again.
    let retryInterval: Duration

    /// In whole seconds, as in `Retry-After`.
    var retryAfter: Int64 { self.retryInterval.components.seconds + 1 }
}
