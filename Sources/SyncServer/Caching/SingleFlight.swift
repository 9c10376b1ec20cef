import Synchronization

/// Shares work between tasks: tasks that need the same value at the same time wait for one computation of it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let id: UInt64
        let task: Task<Value, any Error>
        let start = ContinuousClock.now
        /// Tasks that wait for it and were not cancelled.
        var waiting = 0
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// A computation that takes longer is not joined any more: it may hang, and should not block later tasks.
    private static var joinTimeout: Duration { .seconds(5) }

    /// The result of `work`, or of the same work that another task has started. The work is cancelled when all tasks that wait for it
    /// were cancelled.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let flight = self.join(key, work)
        return try await withTaskCancellationHandler {
            try await flight.task.value
        } onCancel: {
            self.leave(flight.id, for: key)
        }
    }

    private func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) -> Flight {
        self.state.withLock { state in
            if let flight = state.flights[key], flight.start + Self.joinTimeout > .now {
                state.flights[key]?.waiting += 1
                return flight
            }
            state.lastID += 1
            let id = state.lastID
            let flight = Flight(
                id: id,
                task: Task {
                    defer { self.finish(id, for: key) }
                    return try await work()
                }, waiting: 1)
            state.flights[key] = flight
            return flight
        }
    }

    /// How many tasks wait.
    var waiting: Int { self.state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting } } }

    private func leave(_ id: UInt64, for key: Key) {
        let abandoned = self.state.withLock { state -> Task<Value, any Error>? in
            guard let flight = state.flights[key], flight.id == id else { return nil }
            state.flights[key]?.waiting -= 1
            guard flight.waiting == 1 else { return nil }
            state.flights[key] = nil
            return flight.task
        }
        abandoned?.cancel()
    }

    private func finish(_ id: UInt64, for key: Key) {
        // A later computation for the same key goes on.
        self.state.withLock { if $0.flights[key]?.id == id { $0.flights[key] = nil } }
    }
}
