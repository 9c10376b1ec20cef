import Synchronization

/// Work that many ask for at once and that is done once.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let number: UInt64
        let task: Task<Value, any Error>
        let start = ContinuousClock.now
        /// Those who wait for it and have not gone away.
        var waiting = 0
    }

    private struct Traffic {
        var flights: [Key: Flight] = [:]
        var lastNumber: UInt64 = 0
    }

    private let traffic = Mutex(Traffic())

    /// Who comes later begins anew: the work may hang, and nobody else should with it.
    private static var patience: Duration { .seconds(5) }

    /// What `work` gives, or what the same work gives that is under way for somebody else. That one of them goes away does not break
    /// it off; that all of them have does.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let flight = self.join(key, work)
        return try await withTaskCancellationHandler {
            try await flight.task.value
        } onCancel: {
            self.leave(flight.number, for: key)
        }
    }

    private func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) -> Flight {
        self.traffic.withLock { traffic in
            if let flight = traffic.flights[key], flight.start + Self.patience > .now {
                traffic.flights[key]?.waiting += 1
                return flight
            }
            traffic.lastNumber += 1
            let number = traffic.lastNumber
            let flight = Flight(
                number: number,
                task: Task {
                    defer { self.land(number, for: key) }
                    return try await work()
                }, waiting: 1)
            traffic.flights[key] = flight
            return flight
        }
    }

    /// How many wait for work that is under way.
    var waiting: Int { self.traffic.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting } } }

    private func leave(_ number: UInt64, for key: Key) {
        let abandoned = self.traffic.withLock { traffic -> Task<Value, any Error>? in
            guard let flight = traffic.flights[key], flight.number == number else { return nil }
            traffic.flights[key]?.waiting -= 1
            guard flight.waiting == 1 else { return nil }
            traffic.flights[key] = nil
            return flight.task
        }
        abandoned?.cancel()
    }

    /// A later flight for the same key goes on.
    private func land(_ number: UInt64, for key: Key) {
        self.traffic.withLock { if $0.flights[key]?.number == number { $0.flights[key] = nil } }
    }
}
