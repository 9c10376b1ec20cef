import Synchronization

/// Values by hash, those that were used most recently. Its size is bounded, however many keys there are.
///
/// There are two generations. A key that is used is in the young one; when that is full, it becomes the old one, and the old one is
/// dropped. The table consists of parts with a lock each, because every request uses it. (`LRUCache` has costs instead of a number
/// of entries, one lock, and no update in place.)
package final class RecentTable<Value: Sendable>: Sendable {
    private struct Generations {
        var young: [UInt64: Value] = [:]
        var old: [UInt64: Value] = [:]

        mutating func set(_ value: Value, for key: UInt64, capacity: Int) {
            if self.young.count >= capacity, self.young[key] == nil {
                self.old = self.young
                self.young = [:]
            }
            self.young[key] = value
        }
    }

    private final class Part: Sendable {
        let generations = Mutex(Generations())
    }

    private static var partCount: Int { 16 }

    private let parts = (0..<RecentTable.partCount).map { _ in Part() }
    /// Of one generation of one part.
    private let capacity: Int

    /// - Parameter capacity: The maximum number of values; about half as many are certain to be kept.
    package init(capacity: Int) {
        self.capacity = max(capacity / 2 / Self.partCount, 1)
    }

    /// The value, without using it.
    package func value(of key: UInt64) -> Value? {
        self.part(of: key).generations.withLock { $0.young[key] ?? $0.old[key] }
    }

    /// Whether there is a value. Counts as using it.
    package func touch(_ key: UInt64) -> Bool {
        self.part(of: key).generations.withLock { generations in
            if generations.young[key] != nil { return true }
            guard let value = generations.old[key] else { return false }
            generations.set(value, for: key, capacity: self.capacity)
            return true
        }
    }

    package func set(_ key: UInt64, to value: Value) {
        self.part(of: key).generations.withLock { $0.set(value, for: key, capacity: self.capacity) }
    }

    /// Changes the value, or the default when there is none.
    package func update<Result: Sendable>(
        _ key: UInt64, default initial: Value, _ body: (inout Value) -> Result
    ) -> Result {
        self.part(of: key).generations.withLock { generations in
            var value = generations.young[key] ?? generations.old[key] ?? initial
            let result = body(&value)
            generations.set(value, for: key, capacity: self.capacity)
            return result
        }
    }

    package func remove(_ key: UInt64) {
        self.part(of: key).generations.withLock { generations in
            generations.young[key] = nil
            generations.old[key] = nil
        }
    }

    package var count: Int {
        self.parts.reduce(0) { sum, part in sum + part.generations.withLock { $0.young.count + $0.old.count } }
    }

    private func part(of key: UInt64) -> Part {
        self.parts[Int(truncatingIfNeeded: key % UInt64(Self.partCount))]
    }
}
