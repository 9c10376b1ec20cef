import HTTPTypes
import Hummingbird
import RevisionStore

/// Runs the work of requests off the event loops, which many connections share.
struct RequestExecutor: Sendable {
    let readModel: ReadModel

    /// Runs the work of a read.
    ///
    /// - It runs in a task of its own, which is cancelled when the client disconnects. A task keeps the memory of its deepest call
    ///   until it ends; so the task of the connection stays small, also while the request waits for a change afterwards.
    /// - It is repeated when the venue was changed during the read, or a database fails; see ``ReadRetries``.
    /// - Finally the access decisions of the work are confirmed.
    ///
    /// - Throws: ``ClientDisconnected`` when the client has disconnected.
    func read<Value: Sendable>(
        _ context: AppRequestContext, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let connection = context.connection else { return try await self.consistentRead(context, work) }
        do {
            return try await connection.cancelOnDisconnect { try await self.consistentRead(context, work) }
        } catch  where connection.isDisconnected {
            throw ClientDisconnected()
        }
    }

    private func consistentRead<Value: Sendable>(
        _ context: AppRequestContext, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var retries = ReadRetries(readModel: self.readModel)
            while true {
                do {
                    context.accessDecisions.removeAll()
                    let value = try await work()
                    try await context.accessDecisions.confirm()
                    return value
                } catch {
                    try await retries.prepare(after: error)
                }
            }
        }
    }

    /// Runs the work of a write. It is not cancelled when the client disconnects, and the read model knows the change before the
    /// response is sent, so that the client's next request sees it.
    func write(_ work: () async throws -> Response) async throws -> Response {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let response = try await work()
            // The write succeeded and is reported as a success. If the refresh fails, the next poll catches up.
            if response.status.code < 400 { try? await self.readModel.refresh() }
            return response
        }
    }
}

/// Runs the handlers of a group of routes by a ``RequestExecutor``.
struct RequestExecutorMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let executor: RequestExecutor

    @concurrent func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        guard [.get, .head].contains(request.method) else {
            return try await self.executor.write { try await next(request, context) }
        }
        return try await withoutActuallyEscaping(next) { next in
            let work = Work { try await next(request, context) }
            return try await self.executor.read(context) { try await work.run() }
                .confirmingAccess(context.accessDecisions, in: self.executor.readModel)
        }
    }
}

/// Work that one task runs while another one waits for it. Hummingbird's `next` is not `Sendable`.
private struct Work: @unchecked Sendable {
    let run: @concurrent () async throws -> Response
}
