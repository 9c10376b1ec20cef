import Hummingbird
import RevisionStore

/// A replica that goes away is noticed by those who read from it first: they are answered from where everything is written.
struct ReplicaFailoverMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let node: Node

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error
            where RevisionStore.isOutage(error) && self.node.replica != nil && [.get, .head].contains(request.method)
        {
            // Whether it was the replica that went away, or what everything is written to.
            await self.node.pollReplica()
            return try await next(request, context)
        }
    }
}
