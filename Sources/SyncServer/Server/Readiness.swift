package import RevisionStore
import Synchronization

/// Whether load balancers should send requests to this process.
package final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    package var isDraining: Bool { self.draining.load(ordering: .relaxed) }

    /// The server is about to stop, and is not ready from now on.
    package func drain() {
        self.draining.store(true, ordering: .relaxed)
    }
}

/// Checks whether the database responds. Concurrent checks share one statement, and each has a timeout.
package actor DatabaseHealthCheck {
    private let store: RevisionStore
    private let timeout: Duration
    private var ping: Task<Bool, Never>?

    package init(store: RevisionStore, timeout: Duration = .seconds(2)) {
        self.store = store
        self.timeout = timeout
    }

    /// False also when the database does not respond within the timeout.
    package func isHealthy() async -> Bool {
        let ping = self.ping ?? self.startPing()
        return await withTimeout(self.timeout) { await ping.value } ?? false
    }

    private func startPing() -> Task<Bool, Never> {
        let ping = Task {
            let isHealthy = (try? await self.store.ping()) != nil
            self.ping = nil
            return isHealthy
        }
        self.ping = ping
        return ping
    }
}
