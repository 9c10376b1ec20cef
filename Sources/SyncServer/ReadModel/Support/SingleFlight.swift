import Caching
import Synchronization

/// Shares work between tasks: tasks that need the same value at the same time wait for one computation of it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let key: Key
        let task: Task<Value, any Error>
        let start = ContinuousClock.now
        /// Tasks that wait for it and were not cancelled.
        var waiting = 1
    }

    private struct State {
        var flights: [UInt64: Flight] = [:]
        /// Those that later tasks join.
        var newest: [Key: UInt64] = [:]
        var lastID: UInt64 = 0

        /// A later computation for the same key goes on.
        mutating func remove(_ id: UInt64) {
            guard let flight = self.flights.removeValue(forKey: id), self.newest[flight.key] == id else { return }
            self.newest[flight.key] = nil
        }
    }

    private let state = Mutex(State())
    /// Until when work is not started again, because it has reached its limit.
    private let refusals = LRUCache<Key, ContinuousClock.Instant>(cost: 1_000)
    private let joinTimeout: Duration

    /// - Parameter joinTimeout: A computation that takes longer is not joined any more: it may hang, and should not block later tasks.
    init(joinTimeout: Duration = .seconds(5)) {
        self.joinTimeout = joinTimeout
    }

    /// The result of `work`, or of the same work that another task has started. The work is cancelled when all tasks that wait for it
    /// were cancelled.
    ///
    /// - Throws: ``WorkLimitReached`` at once if the same work has reached its limit recently, besides what the work throws.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if let end = self.refusals.value(for: key), .now < end { throw WorkLimitReached() }
        let (id, task) = self.join(key, work)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            self.leave(id)
        }
    }

    private func join(
        _ key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) -> (id: UInt64, task: Task<Value, any Error>) {
        self.state.withLock { state in
            if let id = state.newest[key], let flight = state.flights[id], flight.start + self.joinTimeout > .now {
                state.flights[id]?.waiting += 1
                return (id, flight.task)
            }
            state.lastID += 1
            let id = state.lastID
            let task: Task<Value, any Error> = Task {
                defer { self.finish(id) }
                do {
                    return try await work()
                } catch let error as WorkLimitReached {
                    self.refusals.keep(.now + WorkLimitReached.retryInterval, for: key, cost: 1)
                    throw error
                }
            }
            state.flights[id] = Flight(key: key, task: task)
            state.newest[key] = id
            return (id, task)
        }
    }

    /// How many tasks wait.
    var waiting: Int { self.state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting } } }

    private func leave(_ id: UInt64) {
        let abandoned = self.state.withLock { state -> Task<Value, any Error>? in
            guard let flight = state.flights[id] else { return nil }
            state.flights[id]?.waiting -= 1
            guard flight.waiting == 1 else { return nil }
            state.remove(id)
            return flight.task
        }
        abandoned?.cancel()
    }

    private func finish(_ id: UInt64) {
        self.state.withLock { $0.remove(id) }
    }
}
