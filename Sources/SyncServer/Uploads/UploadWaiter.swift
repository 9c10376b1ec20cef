import IMDF
import RevisionStore
import SyncModel

/// Waits for uploads.
struct UploadWaiter: Sendable {
    let store: RevisionStore
    let longPolls: LongPolls

    /// A notification may be lost with its connection, so the upload is read this often anyway.
    private static let pollInterval = Duration.seconds(1)

    /// The upload as soon as it is finished or staged, or as it is after the timeout.
    ///
    /// - Parameter decisions: Confirmed after each time the upload was read.
    func settled(
        _ id: UploadID, within timeout: Duration, _ decisions: AccessDecisions
    ) async throws -> Upload {
        let deadline = ContinuousClock.now + timeout
        while true {
            let notification = self.longPolls.latestUploadNotification
            let upload = try await self.store.upload(id)
            try await decisions.confirm()
            if upload.isSettled || ContinuousClock.now >= deadline { return upload }
            let next = min(deadline, .now + Self.pollInterval)
            let outcome = await self.longPolls.waitForChange(of: .upload(id), after: notification, until: next)
            if outcome == .closed {
                if self.longPolls.isClosed { return upload }
                // Without a notifier, as in tests of the router, only polling is left.
                try await Task.sleep(until: min(next, .now + .milliseconds(100)))
            }
        }
    }
}

extension Upload {
    /// Whether its state does not change any more by the work on it: it is finished, or waits for a decision.
    var isSettled: Bool { self.state.isFinal || self.state == .staged }
}
