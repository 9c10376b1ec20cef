import Foundation
import SyncModel

/// What ``VenueReplica/follow(_:)`` has to tell.
public enum FollowEvent: Sendable {
    /// The replica was brought up to date.
    case synced(SyncReport)
    /// It could not be; it is tried again after a pause.
    case setback(SyncError, pause: Duration)
}

extension VenueReplica {
    /// Seconds for which the server may hold back an answer until there is news.
    private static let wait = 25

    /// Keeps the replica up to date until the task is cancelled: a revision is applied moments after it was published.
    ///
    /// When something goes wrong that may come right (no network, a server without time, an answer that is cut short), it is tried
    /// again, after pauses that grow; see ``RetryPolicy``.
    ///
    /// - Parameter tell: Is told what happens. What changed on a level is told by ``changes(on:from:)``.
    /// - Throws: `CancellationError`, or a ``SyncError`` that waiting does not mend: ``SyncError/unauthorized``,
    ///   ``SyncError/unknownVenue``, ``SyncError/venueGone``, ``SyncError/refused(status:_:)``, ``SyncError/diskFull``,
    ///   ``SyncError/file(_:)``.
    public func follow(_ tell: @Sendable (FollowEvent) -> Void = { _ in }) async throws {
        let policy = self.exchange.policy
        var failures = 0
        while true {
            try Task.checkCancellation()
            do {
                let start = policy.now()
                guard let report = try await self.news() else { continue }
                failures = 0
                if report.hasCommitted { tell(.synced(report)) }
                // A server that does not wait is not asked without a pause.
                let took = Duration.seconds(policy.now().timeIntervalSince(start))
                let isIdle = report.changes == SyncReport.Changes() && took < policy.shortest
                if isIdle { try await policy.sleep(policy.pause(after: 1, wish: policy.shortest)) }
            } catch let error as SyncError {
                guard let wish = error.worthAnotherTry else { throw error }
                failures += 1
                let pause = policy.pause(after: failures, wish: wish.after)
                tell(.setback(error, pause: pause))
                try await policy.sleep(pause)
            }
        }
    }

    /// Waits for news and applies them; nil when the replica moved on meanwhile. While it waits, others may write.
    private func news() async throws -> SyncReport? {
        let state = try await self.store.state()
        guard state.cursor != nil, let wanted = state.selection else { return try await self.sync() }
        do {
            guard let first = try await self.await(self.path(since: state.cursor, wanted, wait: Self.wait)) else {
                return nil
            }
            return try await self.turnstile.pass { try await self.apply(first, to: state, wanted) }
        } catch is ReplicaStore.Moved {
            return nil
        } catch is Exchange.LostHistory {
            return try await self.sync()
        }
    }

    /// An answer that may be a while in coming; nil when nobody waits for it any more, because the replica has changed.
    private func await(_ path: String) async throws -> [UInt8]? {
        let exchange = self.exchange
        let (id, task) = (UUID(), Task { try await exchange.bytes(path) })
        self.waiting[id] = task
        defer { self.waiting[id] = nil }
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
