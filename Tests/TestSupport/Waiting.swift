import Synchronization
import Testing

/// Polls until the condition holds. A condition that never holds is a failure, not a hang.
package func eventually(
    _ what: String, within limit: Duration = .seconds(300), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "not in time: \(what)")
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// A flag that says that something is over.
package final class Flag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isSet: Bool { self.value.load(ordering: .acquiring) }

    package func set() { self.value.store(true, ordering: .releasing) }
}
