import Hummingbird
import HummingbirdCore

/// Runs reads that may wait for a change.
///
/// A request waits between two runs of the ``RequestExecutor``, and holds no more than its own frame meanwhile.
struct LongPollExecutor: Sendable {
    let executor: RequestExecutor
    let longPolls: LongPolls

    enum Reply: Sendable {
        case response(Response)
        /// Nothing has changed, and the request may wait for a change of the subject after this number. The timeout counts from the
        /// first wait.
        case noChange(of: LongPolls.Subject, after: Int64, timeout: Duration)
    }

    /// - Parameter read: Called again after every wait. When the wait has timed out or the server shuts down, the read must respond
    ///   with what there is: `mayWait` is false.
    func response(
        _ context: AppRequestContext, _ read: @escaping @Sendable (_ mayWait: Bool) async throws -> Reply
    ) async throws -> Response {
        var deadline: ContinuousClock.Instant?
        var isLastAttempt = false
        while true {
            let mayWait = !isLastAttempt
            switch try await self.executor.read(context, { try await read(mayWait) }) {
            case .response(let response): return response.confirmingAccess(context.accessDecisions)
            case .noChange(let subject, let number, let timeout):
                let end = deadline ?? .now + timeout
                deadline = end
                let outcome = await self.longPolls.waitForChange(of: subject, after: number, until: end)
                isLastAttempt = outcome != .changed
            }
        }
    }
}
