import Synchronization
import Testing

/// Asks again and again until it is so. What does not come to be in time is a failure, never a hang.
func eventually(
    _ what: String, within limit: Duration = .seconds(60), _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !isSo() {
        try #require(ContinuousClock.now < deadline, "not in time: \(what)")
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Says when something is over.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { self.value.load(ordering: .acquiring) }

    func set() { self.value.store(true, ordering: .releasing) }
}
