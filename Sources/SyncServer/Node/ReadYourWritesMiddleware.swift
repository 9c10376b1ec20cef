import Hummingbird

/// Whoever changed something through this node finds it changed in the next answer of this node.
struct ReadYourWritesMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let node: Node

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        if request.method != .get, request.method != .head, response.status.code < 400 {
            // It is done and must be answered as done; when the news cannot be read now, they are in a moment.
            try? await self.node.refresh()
        }
        return response
    }
}
