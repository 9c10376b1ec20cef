import Caching
import RevisionStore

/// An LRU cache by hash that consists of shards with a lock each, for what every request uses.
package final class ShardedLRUCache<Value: Sendable>: Sendable {
    private let shards: [LRUCache<UInt64, Value>]

    private static var shardCount: Int { 16 }

    /// - Parameter capacity: The maximum number of values; about half as many are certain to be kept.
    package init(capacity: Int) {
        self.shards = (0..<Self.shardCount).map { _ in
            LRUCache(cost: max(capacity / 2 / Self.shardCount, 1) * 2)
        }
    }

    /// The value, without counting as a use.
    package func peek(_ key: UInt64) -> Value? { self.shard(of: key).peek(key) }

    /// Whether there is a value. Counts as a use.
    package func touch(_ key: UInt64) -> Bool { self.shard(of: key).value(for: key) != nil }

    package func set(_ key: UInt64, to value: Value) { self.shard(of: key).keep(value, for: key, cost: 1) }

    /// Changes the value, or the default when there is none.
    package func update<Result: Sendable>(
        _ key: UInt64, default initial: Value, _ body: (inout Value) -> Result
    ) -> Result {
        self.shard(of: key).update(key, default: initial, cost: 1, body)
    }

    package func remove(_ key: UInt64) { self.shard(of: key).remove(key) }

    package var count: Int { self.shards.reduce(0) { $0 + $1.count } }

    private func shard(of key: UInt64) -> LRUCache<UInt64, Value> {
        self.shards[Int(truncatingIfNeeded: key % UInt64(Self.shardCount))]
    }
}
