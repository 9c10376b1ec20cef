import Hummingbird

/// Answers at once, on the connection's event loop, what was answered before and still stands.
struct ResponseCacheMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let live: Live

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        if context.endpointPath == SyncRoutes.path, request.method == .get,
            let news = self.live.node.confirmedChangeNumber,
            let answer = self.live.responseCache.answer(to: request, news: news)
        {
            return answer
        }
        return try await next(request, context)
    }
}
