import Synchronization

/// A number that only grows.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var value: Int { self.count.load(ordering: .relaxed) }

    package func add(_ amount: Int = 1) {
        self.count.wrappingAdd(amount, ordering: .relaxed)
    }
}

/// A number that goes up and down.
package final class Gauge: Sendable {
    private let level = Atomic<Int>(0)

    package init() {}

    package var value: Int { self.level.load(ordering: .relaxed) }

    package func add(_ amount: Int = 1) {
        self.level.wrappingAdd(amount, ordering: .relaxed)
    }

    package func subtract(_ amount: Int = 1) {
        self.level.wrappingSubtract(amount, ordering: .relaxed)
    }
}

/// The metrics of one server.
///
/// Get a gauge or a counter once, when the server is put together; a change of its value is one atomic addition. Names and labels
/// never come from a request, so that clients cannot create series.
package final class Metrics: Sendable {
    private enum Source: Sendable {
        case counter(Counter)
        case gauge(Gauge)
        case reading(@Sendable () -> Double?)
    }

    private struct Entry: Sendable {
        let name: String
        let help: String
        let source: Source
    }

    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// The gauge of this name, created when it is first requested.
    package func gauge(_ name: String, help: String) -> Gauge {
        self.entries.withLock { entries in
            for entry in entries where entry.name == name {
                if case .gauge(let gauge) = entry.source { return gauge }
            }
            let gauge = Gauge()
            entries.append(Entry(name: name, help: help, source: .gauge(gauge)))
            return gauge
        }
    }

    /// The counter of this name, which should end in `_total`, created when it is first requested.
    package func counter(_ name: String, help: String) -> Counter {
        self.entries.withLock { entries in
            for entry in entries where entry.name == name {
                if case .counter(let counter) = entry.source { return counter }
            }
            let counter = Counter()
            entries.append(Entry(name: name, help: help, source: .counter(counter)))
            return counter
        }
    }

    /// A gauge that is read when the metrics are scraped. Replaces an earlier one of the same name.
    ///
    /// - Parameter read: Returns nil when there is no value.
    package func reading(_ name: String, help: String, _ read: @escaping @Sendable () -> Double?) {
        self.entries.withLock { entries in
            entries.removeAll { $0.name == name }
            entries.append(Entry(name: name, help: help, source: .reading(read)))
        }
    }

    func write(to text: inout PrometheusText) {
        // Read outside of the lock, because a reading may take a lock of its own.
        for entry in self.entries.withLock({ $0 }).sorted(by: { $0.name < $1.name }) {
            switch entry.source {
            case .counter(let counter):
                text.family(entry.name, .counter, entry.help)
                text.sample(entry.name, Double(counter.value))
            case .gauge(let gauge):
                text.family(entry.name, .gauge, entry.help)
                text.sample(entry.name, Double(gauge.value))
            case .reading(let read):
                guard let value = read() else { continue }
                text.family(entry.name, .gauge, entry.help)
                text.sample(entry.name, value)
            }
        }
    }
}
