import Synchronization

/// Work that many ask for at once and that is done once.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let task: Task<Value, any Error>
        let start = ContinuousClock.now
    }

    private let flights = Mutex<[Key: Flight]>([:])

    /// Who comes later begins anew: the work may hang, and nobody else should with it.
    private static var patience: Duration { .seconds(5) }

    /// What `work` gives, or what the same work gives that is under way for somebody else. That somebody went away does not
    /// break it off.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let flight = self.flights.withLock { flights in
            if let flight = flights[key], flight.start + Self.patience > .now { return flight }
            let flight = Flight(
                task: Task {
                    // Perhaps that of a later flight, which then nobody joins any more.
                    defer { self.flights.withLock { $0[key] = nil } }
                    return try await work()
                })
            flights[key] = flight
            return flight
        }
        return try await flight.task.value
    }
}
