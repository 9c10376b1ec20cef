import Foundation

/// Polls until the task is cancelled or a retry cannot help, and reports the status. A pause ends early when another call has reached the
/// server, or, unless the server asked for it, when the network has changed.
struct FollowLoop {
    let policy: RetryPolicy
    let status: ReplicaStatusCenter
    /// Whether its polls decide on the status. Those of an editor only learn from it that the server is reachable: a pause that the
    /// server asked them for is theirs alone.
    var ownsStatus = true

    /// - Parameters:
    ///   - failed: Is called before every pause after a failure.
    ///   - poll: Synchronizes, and returns whether nothing changed; nil to be called again at once. `waits` is whether the server may hold
    ///     the request: not the first one after the start or a failure, so that the status is known at once.
    func run(
        failed: (SyncError, _ pause: Duration) -> Void = { _, _ in }, _ poll: (_ waits: Bool) async throws -> Bool?
    ) async throws {
        if self.ownsStatus { self.status.beginFollowing() }
        let network = NetworkChanges { self.status.endPauses(alsoRequested: false) }
        defer { network.stop() }
        do {
            try await self.repeatForever(failed, poll)
        } catch {
            if self.ownsStatus { self.status.endFollowing(error as? SyncError) }
            throw error
        }
    }

    private func repeatForever(
        _ failed: (SyncError, Duration) -> Void, _ poll: (Bool) async throws -> Bool?
    ) async throws -> Never {
        var failures = 0
        var isConnected = false
        while true {
            try Task.checkCancellation()
            do {
                let start = self.policy.now()
                guard let isIdle = try await poll(isConnected) else { continue }
                failures = 0
                // If the server does not hold the request, pause before the next one.
                let elapsed = Duration.seconds(self.policy.now().timeIntervalSince(start))
                let mustPause = isConnected && isIdle && elapsed < self.policy.minimumPause
                isConnected = true
                if mustPause {
                    try await self.policy.sleep(self.policy.pause(after: 1, retryAfter: self.policy.minimumPause))
                }
            } catch let error as SyncError {
                guard let retry = error.retryWhileFollowing else { throw error }
                failures += 1
                isConnected = false
                let pause = self.policy.pause(after: failures, retryAfter: retry.after)
                let end = self.status.beginPause(isRequested: retry.after != nil)
                let time = self.policy.now().addingTimeInterval(pause / .seconds(1))
                if self.ownsStatus { self.status.retry(after: error, at: time) }
                failed(error, pause)
                if self.ownsStatus || retry.after == nil {
                    try await self.sleep(pause, until: end)
                } else {
                    try await self.policy.sleep(pause)
                }
            }
        }
    }

    private func sleep(_ pause: Duration, until end: AsyncStream<Void>) async throws {
        let sleep = self.policy.sleep
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await sleep(pause) }
            tasks.addTask {
                for await _ in end { return }
                throw CancellationError()
            }
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }
}
