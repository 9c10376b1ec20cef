import HTTPTypes
import Hummingbird
import RevisionStore

/// Runs the work of requests off the event loops, which many connections share.
struct RequestExecutor: Sendable {
    let readModel: ReadModel

    /// How often a read is repeated because its venue was changed meanwhile.
    private static let attempts = 5

    /// Runs the work of a read.
    ///
    /// - It runs in a task of its own, which is cancelled when the client disconnects. A task keeps the memory of its deepest call
    ///   until it ends; so the task of the connection stays small, also while the request waits for a change afterwards.
    /// - It is repeated when the venue was changed during the read, and once when the replica fails.
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
            for _ in 1..<Self.attempts {
                do {
                    return try await self.confirmedRead(context, work)
                } catch StoreError.historyChanged {
                    try await self.readModel.refresh()
                }
            }
            return try await self.confirmedRead(context, work)
        }
    }

    private func confirmedRead<Value: Sendable>(
        _ context: AppRequestContext, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        context.accessDecisions.removeAll()
        let value = try await self.readWithFailover(work)
        try await context.accessDecisions.confirm()
        return value
    }

    private func readWithFailover<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error where RevisionStore.isOutage(error) && self.readModel.replica != nil {
            // If it is the replica that has failed, the second attempt does not use it.
            await self.readModel.noteOutage()
            return try await work()
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
