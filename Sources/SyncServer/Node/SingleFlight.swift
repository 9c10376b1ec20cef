import Synchronization

/// Work that many ask for at once and that is done once.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let number: UInt64
        let task: Task<Value, any Error>
        let start = ContinuousClock.now
    }

    private struct Traffic {
        var flights: [Key: Flight] = [:]
        var lastNumber: UInt64 = 0
    }

    private let traffic = Mutex(Traffic())

    /// Who comes later begins anew: the work may hang, and nobody else should with it.
    private static var patience: Duration { .seconds(5) }

    /// What `work` gives, or what the same work gives that is under way for somebody else. That somebody went away does not
    /// break it off.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let flight = self.traffic.withLock { traffic in
            if let flight = traffic.flights[key], flight.start + Self.patience > .now { return flight }
            traffic.lastNumber += 1
            let number = traffic.lastNumber
            let flight = Flight(
                number: number,
                task: Task {
                    defer { self.land(number, for: key) }
                    return try await work()
                })
            traffic.flights[key] = flight
            return flight
        }
        return try await flight.task.value
    }

    /// A later flight for the same key goes on.
    private func land(_ number: UInt64, for key: Key) {
        self.traffic.withLock { if $0.flights[key]?.number == number { $0.flights[key] = nil } }
    }
}
