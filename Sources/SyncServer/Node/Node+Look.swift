import RevisionStore
import SyncModel
import Synchronization

/// How a node comes to know what is new.
extension Node {
    /// Looks for news unless somebody vouches for what is known.
    ///
    /// While the database cannot be reached, what was known last goes on being answered: it was right, and nothing can be changed.
    /// While it is incomplete, nothing is: what is known may not be so any more, and what is read is only a part.
    func ensureFresh() async throws {
        let now = ContinuousClock.now
        let (isSettled, isEmpty) = self.memory.withLock { memory in
            (max(memory.confirmedUntil ?? now, memory.quietUntil ?? now) > now, memory.news < 0)
        }
        if isSettled, !isEmpty { return }
        do {
            // A database that does not even refuse is away, too. Who was never vouched for has nothing to fall back on.
            let isWatched = self.memory.withLock { $0.confirmedUntil != nil && $0.isWhole }
            try await self.refresh(within: isWatched ? Self.trust : Self.patience)
        } catch {
            guard RevisionStore.isOutage(error), !isEmpty else { throw error }
            self.keepQuiet()
        }
    }

    private func keepQuiet() {
        self.memory.withLock { $0.quietUntil = .now + .seconds(1) }
    }

    /// Looks for news now, and gives up on a database that does not answer at all.
    package func refresh() async throws { try await self.refresh(within: Self.patience) }

    private func refresh(within patience: Duration) async throws {
        let outcome = await bounded(by: patience) { await Result(catching: self.look) }
        guard let outcome else {
            try Task.checkCancellation()
            throw RevisionStore.unresponsive
        }
        try outcome.get()
    }

    /// Who asks while somebody is looking gets the next look: this one may have begun too early.
    private func look() async throws {
        let reading = self.readings.withLock { readings in
            if let next = readings.next { return next }
            let before = readings.running
            let next = Task {
                _ = await before?.result
                self.readings.withLock { readings in
                    readings.running = readings.next
                    readings.next = nil
                }
                try await self.read()
            }
            readings.next = next
            return next
        }
        try await reading.value
    }

    /// Looks for news when an upload was published as a revision that is not known here: who was told of it may ask for it.
    func catchUp(with upload: Upload) async throws {
        guard let revision = upload.revision, self.known(upload.venue)?.venue.head ?? 0 < revision else { return }
        try await self.refresh()
    }

    struct Readings {
        var running: Task<Void, any Error>?
        /// Has not begun to read.
        var next: Task<Void, any Error>?
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
