import Synchronization

/// A cache with a bound that evicts what was not used for the longest time, approximately.
///
/// There are two generations. Values that are used are in the young one. When it has reached half of the bound, it becomes the old
/// one, and what was in the old one is evicted. So every operation takes constant time.
package final class LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Generations {
        var young: [Key: (value: Value, cost: Int)] = [:]
        var old: [Key: (value: Value, cost: Int)] = [:]
        var youngCost = 0
        /// The last value that was too large for the generations.
        var large: (key: Key, value: Value)?

        mutating func insert(_ entry: (value: Value, cost: Int), for key: Key, limit: Int) {
            if self.youngCost + entry.cost - (self.young[key]?.cost ?? 0) > limit {
                self.old = self.young
                self.young = [:]
                self.youngCost = 0
            }
            if let replaced = self.young.updateValue(entry, forKey: key) { self.youngCost -= replaced.cost }
            self.youngCost += entry.cost
        }

        mutating func remove(_ key: Key) {
            if let removed = self.young.removeValue(forKey: key) { self.youngCost -= removed.cost }
            self.old[key] = nil
            if self.large?.key == key { self.large = nil }
        }
    }

    private let generations = Mutex(Generations())
    private let limit: Int
    private let keepsLarge: Bool

    /// - Parameters:
    ///   - cost: The bound for the sum of the costs of all values, in any unit.
    ///   - keepsLarge: Whether the last value whose cost exceeds half of the bound is kept besides, so that not every use computes it again.
    package init(cost: Int, keepsLarge: Bool = false) {
        self.limit = cost / 2
        self.keepsLarge = keepsLarge
    }

    /// Whether a value of this cost does not fit, or only as the last one of its kind.
    package func isLarge(_ cost: Int) -> Bool { cost > self.limit }

    package func value(for key: Key) -> Value? {
        self.generations.withLock { generations in
            if let entry = generations.young[key] { return entry.value }
            if let entry = generations.old.removeValue(forKey: key) {
                generations.insert(entry, for: key, limit: self.limit)
                return entry.value
            }
            guard let large = generations.large, large.key == key else { return nil }
            return large.value
        }
    }

    /// The value of a key, computed if it is not in the cache. Computations for the same key at the same time may run twice.
    package func value(for key: Key, cost: (Value) -> Int, _ compute: () -> Value) -> Value {
        if let value = self.value(for: key) { return value }
        let value = compute()
        self.keep(value, for: key, cost: cost(value))
        return value
    }

    package func removeAll() {
        self.generations.withLock { $0 = Generations() }
    }

    /// Adds a value. One whose cost exceeds half of the bound replaces the last one of this kind if these are kept; otherwise it is not added.
    package func keep(_ value: Value, for key: Key, cost: Int) {
        guard !self.isLarge(cost) || self.keepsLarge else { return }
        self.generations.withLock { generations in
            generations.remove(key)
            if !self.isLarge(cost) {
                generations.insert((value, cost), for: key, limit: self.limit)
            } else {
                generations.large = (key, value)
            }
        }
    }

    /// The value, without counting as a use.
    package func peek(_ key: Key) -> Value? {
        self.generations.withLock { generations in
            if let entry = generations.young[key] ?? generations.old[key] { return entry.value }
            return generations.large?.key == key ? generations.large?.value : nil
        }
    }

    /// Changes a value, or the default when there is none, in place.
    package func update<Result: Sendable>(
        _ key: Key, default initial: Value, cost: Int, _ body: (inout Value) -> Result
    ) -> Result {
        self.generations.withLock { generations in
            var value = (generations.young[key] ?? generations.old.removeValue(forKey: key))?.value ?? initial
            let result = body(&value)
            generations.insert((value, cost), for: key, limit: self.limit)
            return result
        }
    }

    package func remove(_ key: Key) {
        self.generations.withLock { $0.remove(key) }
    }

    package var count: Int {
        self.generations.withLock { $0.young.count + $0.old.count + ($0.large == nil ? 0 : 1) }
    }
}
