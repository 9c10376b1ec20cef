import RevisionStore
import SyncModel
import Synchronization

extension ReadModel {
    /// Refreshes unless the read model is confirmed.
    ///
    /// During an outage the last state is served for some time; see ``isConfirmed(forPublic:)``. While the database is incomplete
    /// nothing is served: the last state may be wrong, and only a part of the present one can be read.
    func ensureFresh() async throws {
        let now = self.now()
        let (isFresh, isEmpty) = self.state.withLock { state in
            (max(state.confirmedUntil ?? now, state.retryOutageAt ?? now) > now, state.changeNumber < 0)
        }
        if isFresh, !isEmpty { return }
        do {
            // A database that does not even refuse connections is an outage, too. Without an earlier confirmation there is
            // nothing to fall back on, so the request waits longer.
            let hasFallback = self.state.withLock { $0.confirmedUntil != nil && $0.isComplete }
            try await self.refresh(timeout: hasFallback ? Self.confirmationLifetime : Self.refreshTimeout)
        } catch {
            guard RevisionStore.isOutage(error), !isEmpty else { throw error }
            self.state.withLock { $0.retryOutageAt = self.now() + .seconds(1) }
        }
    }

    /// Reads what has changed.
    ///
    /// - Throws: An outage when the database does not respond within ``refreshTimeout``.
    package func refresh() async throws { try await self.refresh(timeout: Self.refreshTimeout) }

    private func refresh(timeout: Duration) async throws {
        let outcome = await withTimeout(timeout) { await Result(catching: self.joinRefresh) }
        guard let outcome else {
            try Task.checkCancellation()
            throw RevisionStore.unresponsive
        }
        try outcome.get()
    }

    /// Waits for the next refresh. One that is already running may have started before this request, so it does not count.
    private func joinRefresh() async throws {
        let refresh = self.refreshes.withLock { refreshes in
            if let next = refreshes.next { return next }
            let running = refreshes.running
            let next = Task {
                _ = await running?.result
                self.refreshes.withLock { refreshes in
                    refreshes.running = refreshes.next
                    refreshes.next = nil
                }
                try await self.load()
            }
            refreshes.next = next
            return next
        }
        try await refresh.value
    }

    /// Refreshes when an upload was published as a revision that is not known here: the client that learns of the revision may
    /// request it next.
    func catchUp(with upload: Upload) async throws {
        guard let revision = upload.revision, self.entry(for: upload.venue)?.venue.head ?? 0 < revision else { return }
        try await self.refresh()
    }

    struct Refreshes {
        var running: Task<Void, any Error>?
        /// Has not started to read.
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
