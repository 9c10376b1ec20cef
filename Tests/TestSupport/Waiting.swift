package import Postgres
import Synchronization
import Testing

/// Polls until the condition holds. A condition that never holds is a failure, not a hang.
package func eventually(
    _ what: String, within limit: Duration = .seconds(300), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "not in time: \(what)")
        try await Task.sleep(for: .milliseconds(5))
    }
}

extension ConnectionPool {
    /// The number of statements of this database that wait for a lock.
    package func waitingStatements() async throws -> Int64 {
        try await self.query(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        ).decode(Int64.self).first ?? 0
    }

    /// Returns when that many statements wait for a lock.
    package func waitForLock(_ count: Int64 = 1) async throws {
        try await eventually("\(count) statements wait for a lock") { try await self.waitingStatements() >= count }
    }
}

/// A flag that says that something is over.
package final class Flag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isSet: Bool { self.value.load(ordering: .acquiring) }

    package func set() { self.value.store(true, ordering: .releasing) }
}
