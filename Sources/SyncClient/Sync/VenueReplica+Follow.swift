import Foundation
import SyncModel

/// What ``VenueReplica/follow(_:)`` reports.
public enum FollowEvent: Sendable {
    /// The replica was synchronised.
    case synced(SyncReport)
    /// A synchronisation failed and is retried after a pause.
    case failed(SyncError, pause: Duration)
}

extension VenueReplica {
    /// The timeout of a long poll in seconds.
    private static let longPollTimeout = 25

    /// Keeps the replica up to date until the task is cancelled: a revision is applied moments after it was published.
    ///
    /// Errors that may be temporary (no network, an overloaded server, an incomplete response) are retried after growing pauses; see
    /// ``RetryPolicy``.
    ///
    /// - Parameter report: Is called after every synchronisation. For the changes on a level see ``changes(on:from:)``.
    /// - Throws: `CancellationError`, or a ``SyncError`` that a retry does not help against: ``SyncError/unauthorized``,
    ///   ``SyncError/unknownVenue``, ``SyncError/venueGone``, ``SyncError/refused(status:_:)``, ``SyncError/diskFull``,
    ///   ``SyncError/file(_:)``.
    public func follow(_ report: @Sendable (FollowEvent) -> Void = { _ in }) async throws {
        let policy = self.exchange.policy
        var failures = 0
        while true {
            try Task.checkCancellation()
            do {
                let start = policy.now()
                guard let outcome = try await self.poll() else { continue }
                failures = 0
                if outcome.hasCommitted { report(.synced(outcome)) }
                // If the server does not hold the request, pause before the next one.
                let elapsed = Duration.seconds(policy.now().timeIntervalSince(start))
                let isIdle = outcome.changes == SyncReport.Changes() && elapsed < policy.minimumPause
                if isIdle { try await policy.sleep(policy.pause(after: 1, retryAfter: policy.minimumPause)) }
            } catch let error as SyncError {
                guard let retry = error.retry else { throw error }
                failures += 1
                let pause = policy.pause(after: failures, retryAfter: retry.after)
                report(.failed(error, pause: pause))
                try await policy.sleep(pause)
            }
        }
    }

    /// Sends a long poll and applies its response; nil if the replica changed in the meantime. Other calls may write while it waits.
    private func poll() async throws -> SyncReport? {
        let state = try await self.store.state()
        guard state.cursor != nil, let selection = state.selection else { return try await self.sync() }
        do {
            guard
                let first = try await self.receive(
                    self.path(since: state.cursor, selection, wait: Self.longPollTimeout))
            else {
                return nil
            }
            return try await self.mutex.withLock { try await self.apply(first, to: state, selection) }
        } catch is ReplicaStore.Conflict {
            return nil
        } catch is Exchange.LostHistory {
            return try await self.sync()
        }
    }

    /// Receives the response to a long poll; nil if the poll was cancelled because the replica changed.
    private func receive(_ path: String) async throws -> [UInt8]? {
        let exchange = self.exchange
        let (id, task) = (UUID(), Task { try await exchange.bytes(path) })
        self.longPolls[id] = task
        defer { self.longPolls[id] = nil }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            try Task.checkCancellation()
            return nil
        }
    }
}
