package import Hummingbird

/// Stands before the router: answers on the connection's event loop what can be answered at once, and sends everything else off
/// the loop, which many connections share.
package struct PollResponder: HTTPResponder {
    let live: Live
    let router: RouterResponder<VenueContext>

    package func respond(to request: Request, context: VenueContext) async throws -> Response {
        if request.method == .get, request.head.path?.contains("/sync") == true, let news = self.live.node.vouchedNews,
            let answer = self.live.standing.answer(to: request, news: news)
        {
            return answer
        }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await self.router.respond(to: request, context: context)
        }
    }
}
