import Synchronization

/// A cache whose values have a bounded total cost. It has two generations: what was not used while one generation was filled is
/// removed, so every operation takes constant time.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Generations {
        var young: [Key: (value: Value, cost: Int)] = [:]
        var old: [Key: (value: Value, cost: Int)] = [:]
        var youngCost = 0

        mutating func insert(_ value: Value, for key: Key, cost: Int, limit: Int) {
            if self.youngCost + cost > limit {
                (self.old, self.young, self.youngCost) = (self.young, [:], 0)
            }
            if self.young.updateValue((value, cost), forKey: key) == nil { self.youngCost += cost }
        }
    }

    private let generations = Mutex(Generations())
    private let limit: Int

    init(cost: Int) {
        self.limit = cost / 2
    }

    /// The value of a key, computed if it is not in the cache. Computations for the same key at the same time may run twice.
    func value(for key: Key, cost: (Value) -> Int, _ compute: () -> Value) -> Value {
        let found = self.generations.withLock { generations -> Value? in
            if let entry = generations.young[key] { return entry.value }
            guard let entry = generations.old[key] else { return nil }
            generations.insert(entry.value, for: key, cost: entry.cost, limit: self.limit)
            return entry.value
        }
        if let found { return found }
        let value = compute()
        let size = cost(value)
        if size <= self.limit {
            self.generations.withLock { $0.insert(value, for: key, cost: size, limit: self.limit) }
        }
        return value
    }
}
