import Caching
import Synchronization

/// Bounds the work on values that are too large for their cache. Of these the cache keeps only the last one, so requests for two of them in
/// turns would make one with each request.
///
/// For each payer that is allowed for the work of a minute; afterwards at most a third of the time may go to it, measured with the turns of
/// others. Meanwhile a request for a value that was too large before is refused, and so is one for any value of a payer with such a one,
/// unless it is new.
final class RemakeLimit<Payer: Hashable & Sendable, Key: Hashable & Sendable>: Sendable {
    /// How much work may be done at once.
    private static var allowance: Duration { .seconds(60) }
    /// How much longer the work has to be paid for than it takes.
    private static var price: Int { 3 }
    private static var maximumPayers: Int { 1_000 }

    private let now: @Sendable () -> ContinuousClock.Instant
    /// Values that were too large when they were made.
    private let large = LRUCache<Key, Bool>(cost: 2_000)
    /// When the work of each payer so far is paid for.
    private let paidAt = Mutex<[Payer: ContinuousClock.Instant]>([:])

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
    }

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - isNew: Whether it is never refused if it was not made before.
    ///   - isLarge: Whether a value is too large for the cache.
    /// - Throws: ``RemakeRefused``, besides what the work throws.
    func make<Value>(
        _ key: Key, for payer: Payer, isNew: Bool, isLarge: (Value) -> Bool, _ work: () async throws -> Value
    ) async throws -> Value {
        let mayBeLarge = self.large.value(for: key) != nil || (!isNew && self.paidAt.withLock { $0[payer] != nil })
        if mayBeLarge { try self.check(payer) }
        let start = self.now()
        do {
            let value = try await work()
            if isLarge(value) {
                self.large.keep(true, for: key, cost: 1)
                self.charge(payer, since: start)
            }
            return value
        } catch {
            // Its client has left, for example. It has cost time nevertheless.
            if mayBeLarge { self.charge(payer, since: start) }
            throw error
        }
    }

    private func check(_ payer: Payer) throws(RemakeRefused) {
        let now = self.now()
        let debt = self.paidAt.withLock { ($0[payer] ?? now) - now }
        let excess = debt - Self.allowance * Self.price
        if excess > .zero { throw RemakeRefused(retryInterval: excess) }
    }

    private func charge(_ payer: Payer, since start: ContinuousClock.Instant) {
        let now = self.now()
        self.paidAt.withLock { paidAt in
            if paidAt.count >= Self.maximumPayers { paidAt = paidAt.filter { $0.value > now } }
            paidAt[payer] = max(paidAt[payer] ?? now, now) + (now - start) * Self.price
        }
    }
}

/// A value would be made again too soon, because it does not fit into its cache.
struct RemakeRefused: Error, Hashable {
    /// How long the value is not made again.
    let retryInterval: Duration

    /// In whole seconds, as in `Retry-After`.
    var retryAfter: Int64 { self.retryInterval.components.seconds + 1 }
}
