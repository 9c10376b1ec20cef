import Synchronization

/// Asks a run of the rules, which computes on a thread of its own, to end.
package final class Interruption: Sendable {
    private let requested = Atomic(false)

    package init() {}

    package var isRequested: Bool { self.requested.load(ordering: .relaxed) }

    package func request() {
        self.requested.store(true, ordering: .relaxed)
    }
}
