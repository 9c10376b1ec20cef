import Synchronization

/// Work that many ask for at once and that is done once.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let flights = Mutex<[Key: Task<Value, any Error>]>([:])

    /// What `work` gives, or what the same work gives that is under way for somebody else. That somebody went away does not
    /// break it off.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let flight = self.flights.withLock { flights in
            if let flight = flights[key] { return flight }
            let flight = Task {
                defer { self.flights.withLock { $0[key] = nil } }
                return try await work()
            }
            flights[key] = flight
            return flight
        }
        return try await flight.value
    }
}
