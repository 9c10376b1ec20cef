import RevisionStore
import SyncModel

/// How many uploads wait for what. The table is read when somebody looks, every five seconds at most.
actor QueueReading {
    private let store: RevisionStore
    private let patience: Duration
    private var last: (counts: [Upload.State: Int], at: ContinuousClock.Instant)?
    private var question: Task<[Upload.State: Int]?, Never>?

    init(store: RevisionStore, patience: Duration = .seconds(2)) {
        self.store = store
        self.patience = patience
    }

    /// Nil when the database does not tell, or not in time.
    func counts() async -> [Upload.State: Int]? {
        if let last, ContinuousClock.now - last.at < .seconds(5) { return last.counts }
        let question = self.question ?? self.ask()
        return await bounded(by: self.patience) { await question.value } ?? nil
    }

    private func ask() -> Task<[Upload.State: Int]?, Never> {
        let question = Task {
            let counts = try? await self.store.unfinishedUploads()
            self.last = counts.map { ($0, .now) }
            self.question = nil
            return counts
        }
        self.question = question
        return question
    }
}
