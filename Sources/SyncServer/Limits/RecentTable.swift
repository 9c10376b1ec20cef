import Synchronization

/// Values of the keys that were used most recently; bounded, however many keys there are.
///
/// When the younger half is full, the older half is forgotten and the younger becomes the older. A key that is used goes to the
/// younger half, so it outlives as many others as a half holds. Split into parts with a lock each, which are rarely in each
/// other's way.
package final class RecentTable<Value: Sendable>: Sendable {
    private struct Halves {
        var young: [UInt64: Value] = [:]
        var old: [UInt64: Value] = [:]

        mutating func put(_ value: Value, at key: UInt64, most: Int) {
            if self.young.count >= most, self.young[key] == nil {
                self.old = self.young
                self.young = [:]
            }
            self.young[key] = value
        }
    }

    private final class Part: Sendable {
        let halves = Mutex(Halves())
    }

    private static var partCount: Int { 16 }

    private let parts = (0..<RecentTable.partCount).map { _ in Part() }
    private let most: Int

    /// - Parameter capacity: values that are kept at most; about half as many are kept for sure.
    package init(capacity: Int) {
        self.most = max(capacity / 2 / Self.partCount, 1)
    }

    /// The value, without using it.
    package func value(of key: UInt64) -> Value? {
        self.part(of: key).halves.withLock { halves in halves.young[key] ?? halves.old[key] }
    }

    /// Whether there is a value, which counts as using it.
    package func touch(_ key: UInt64) -> Bool {
        self.part(of: key).halves.withLock { halves in
            if halves.young[key] != nil { return true }
            guard let value = halves.old[key] else { return false }
            halves.put(value, at: key, most: self.most)
            return true
        }
    }

    package func set(_ key: UInt64, to value: Value) {
        self.part(of: key).halves.withLock { $0.put(value, at: key, most: self.most) }
    }

    /// Changes the value, or that which it begins with.
    package func update<Answer: Sendable>(_ key: UInt64, default first: Value, _ body: (inout Value) -> Answer)
        -> Answer
    {
        self.part(of: key).halves.withLock { halves in
            var value = halves.young[key] ?? halves.old[key] ?? first
            let answer = body(&value)
            halves.put(value, at: key, most: self.most)
            return answer
        }
    }

    package func remove(_ key: UInt64) {
        self.part(of: key).halves.withLock { halves in
            halves.young[key] = nil
            halves.old[key] = nil
        }
    }

    package var count: Int {
        self.parts.reduce(0) { sum, part in sum + part.halves.withLock { $0.young.count + $0.old.count } }
    }

    private func part(of key: UInt64) -> Part {
        self.parts[Int(truncatingIfNeeded: key % UInt64(Self.partCount))]
    }
}
