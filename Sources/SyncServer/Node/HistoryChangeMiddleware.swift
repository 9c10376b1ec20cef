import Hummingbird
import RevisionStore

/// Answers a read again from a newer state when the venue was changed while it was read.
struct HistoryChangeMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let node: Node

    /// Publishes and prunes may come in between again and again, before a request is given up.
    private static let attempts = 5

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        guard [.get, .head].contains(request.method) else { return try await next(request, context) }
        for _ in 1..<Self.attempts {
            do {
                return try await next(request, context)
            } catch StoreError.historyChanged {
                try await self.node.refresh()
            }
        }
        return try await next(request, context)
    }
}
