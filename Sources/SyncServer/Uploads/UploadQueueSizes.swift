import RevisionStore
import SyncModel

/// The numbers of unfinished uploads by state. They are read on demand, at most once in each lifetime.
actor UploadQueueSizes {
    let store: RevisionStore
    private let lifetime: Duration
    private let timeout: Duration
    private var last: (counts: [Upload.State: Int], time: ContinuousClock.Instant)?
    private var query: Task<[Upload.State: Int]?, Never>?

    init(store: RevisionStore, lifetime: Duration, timeout: Duration = .seconds(2)) {
        self.store = store
        self.lifetime = lifetime
        self.timeout = timeout
    }

    /// Nil when the database does not respond within the timeout.
    func counts() async -> [Upload.State: Int]? {
        if let last, ContinuousClock.now - last.time < self.lifetime { return last.counts }
        let query = self.query ?? self.startQuery()
        return await withTimeout(self.timeout) { await query.value } ?? nil
    }

    private func startQuery() -> Task<[Upload.State: Int]?, Never> {
        let query = Task {
            let counts = try? await self.store.unfinishedUploads()
            self.last = counts.map { ($0, .now) }
            self.query = nil
            return counts
        }
        self.query = query
        return query
    }
}
