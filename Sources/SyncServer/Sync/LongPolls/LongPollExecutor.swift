import Hummingbird
import HummingbirdCore

/// Runs reads that may wait for a change.
///
/// A request waits between two runs of the ``RequestExecutor``, and holds no more than its own frame meanwhile.
struct LongPollExecutor: Sendable {
    let executor: RequestExecutor
    let longPolls: LongPolls

    /// What a read has found.
    enum Outcome: Sendable {
        case response(Response)
        /// Nothing has changed, and the request may wait for that. The timeout counts from the first wait, which may have been one in
        /// the handler of the connection.
        case noChange(LongPolls.Wait)
    }

    /// - Parameters:
    ///   - authorize: Decides what the request may read; called before every read, because the decision may change during a wait.
    ///   - read: Called again after every wait. When the wait has timed out or the server shuts down, the read must respond with
    ///     what there is: `mayWait` is false.
    func response<Permission>(
        _ context: AppRequestContext, authorize: @escaping @Sendable () async throws -> Permission,
        _ read: @escaping @Sendable (Permission, _ mayWait: Bool) async throws -> Outcome
    ) async throws -> Response {
        var deadline = context.endedWait?.deadline
        var outcome = context.endedWait?.outcome ?? .changed
        while true {
            let mayWait = outcome == .changed
            switch try await self.executor.read(context, { try await read(authorize(), mayWait) }) {
            case .response(let response):
                return response.confirmingAccess(context.accessDecisions, in: self.executor.readModel)
            case .noChange(let wait):
                let end = deadline ?? .now + wait.timeout
                deadline = end
                outcome = await self.longPolls.waitForChange(
                    of: wait.subject, after: wait.number, until: end, with: wait.key, context.connection)
            }
        }
    }
}
