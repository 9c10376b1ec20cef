package import RevisionStore
import Synchronization

/// Whether requests should be sent here.
package final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    package var isDraining: Bool { self.draining.load(ordering: .relaxed) }

    /// From now on the answer is no: the server is about to stop.
    package func drain() {
        self.draining.store(true, ordering: .relaxed)
    }
}

/// Asks the database whether it answers, once for all who want to know at the same time, and with a bound on their patience.
package actor DatabaseHealthCheck {
    private let store: RevisionStore
    private let patience: Duration
    private var question: Task<Bool, Never>?

    package init(store: RevisionStore, patience: Duration = .seconds(2)) {
        self.store = store
        self.patience = patience
    }

    /// Whether the database answers, or false when it takes too long over it.
    package func beats() async -> Bool {
        let question = self.question ?? self.ask()
        return await bounded(by: self.patience) { await question.value } ?? false
    }

    private func ask() -> Task<Bool, Never> {
        let question = Task {
            let answer = (try? await self.store.ping()) != nil
            self.question = nil
            return answer
        }
        self.question = question
        return question
    }
}
