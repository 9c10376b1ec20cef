import Foundation
public import IMDF
import SyncModel

/// What ``VenueReplica/follow(adding:_:)`` reports.
public enum FollowEvent: Sendable {
    /// The replica was synchronized, and its file changed.
    case synced(SyncReport)
    /// A synchronization failed and is retried after a pause.
    case failed(SyncError, pause: Duration)
}

extension VenueReplica {
    /// The timeout of a long poll in seconds.
    private static let longPollTimeout = 25

    /// Keeps the replica up to date until the task is cancelled: a revision is applied moments after it was published.
    ///
    /// Errors that may be temporary (no network, an overloaded server, an incomplete response, a full disk, a revoked key, a deleted venue)
    /// are retried after growing pauses; see ``RetryPolicy``. A pause ends early when another call, such as ``sync()``, has reached the
    /// server, and on Apple's systems when the network has changed. ``status`` tells whether the replica is current, what failed, and
    /// when the next attempt begins. An app that does not want to wait for a key or a venue cancels the task.
    ///
    /// - Parameters:
    ///   - levels: Are added to the selection with the first synchronization that succeeds, so a floor can be chosen without a network.
    ///     If nothing is selected yet and none is given, all levels are selected.
    ///   - report: Is called after every synchronization that changed the file, and after every failure. For the changes on a level
    ///     see ``changes(on:from:)``.
    /// - Throws: `CancellationError`, or a ``SyncError`` that a retry does not help against: ``SyncError/configuration(_:)`` or
    ///   ``SyncError/file(_:)``.
    public func follow(
        adding levels: Set<LevelSelection.Name> = [], _ report: @Sendable (FollowEvent) -> Void = { _ in }
    ) async throws {
        var missing = levels
        try await FollowLoop(policy: self.exchange.policy, status: self.statusCenter).run(
            failed: { report(.failed($0, pause: $1)) }
        ) { waits in
            guard let outcome = try await self.poll(adding: missing, waits: waits) else { return nil }
            missing = []
            if outcome.hasCommitted { report(.synced(outcome)) }
            return outcome.changes == SyncReport.Changes()
        }
    }

    /// Sends a request and applies its response; nil if the replica changed in the meantime. Other calls may write while a long poll
    /// waits.
    private func poll(adding levels: Set<LevelSelection.Name>, waits: Bool) async throws -> SyncReport? {
        let state = try await self.store.state()
        guard state.cursor != nil, let selection = state.selection, levels.isEmpty else {
            return try await levels.isEmpty ? self.sync() : self.add(levels)
        }
        try await self.checkSpace(for: selection, from: state)
        do {
            let wait = waits ? Self.longPollTimeout : nil
            let path = self.path(
                since: state.cursor, selection, wait: wait, form: self.form(from: state, selection))
            guard let first = try await self.receive(path) else { return nil }
            if self.trustedKeys != nil {
                var report = SyncReport(from: state.revision, to: state.revision ?? 0, requests: 1)
                guard try await self.isUnchanged(first, from: state, selection, &report) else {
                    return try await self.sync()
                }
                self.statusCenter.succeed(at: self.exchange.policy.now())
                return report
            }
            return try await self.mutex.withLock { try await self.apply(first, to: state, selection, nil) }
        } catch is ReplicaStore.Conflict {
            return nil
        } catch is Exchange.LostHistory {
            return try await self.sync()
        }
    }

    /// Receives the response to a long poll; nil if the poll was cancelled because the replica changed.
    private func receive(_ path: String) async throws -> [UInt8]? {
        let (id, task) = (UUID(), Task { try await self.page(path) })
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
