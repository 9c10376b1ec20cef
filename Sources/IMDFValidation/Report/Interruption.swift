import Synchronization

/// A request to stop a run of the rules, which computes on another thread.
package final class Interruption: Sendable {
    private let requested = Atomic(false)

    package init() {}

    package var isRequested: Bool { self.requested.load(ordering: .relaxed) }

    package func request() {
        self.requested.store(true, ordering: .relaxed)
    }
}
