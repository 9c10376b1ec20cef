import HTTPTypes
import Hummingbird
import NIOCore

/// Cancels the work for an answer when the client is gone that asked for it. What changes something is carried out all the same.
struct DisconnectMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    @concurrent func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        guard [.get, .head].contains(request.method), let connection = context.connection else {
            return try await next(request, context)
        }
        return try await withoutActuallyEscaping(next) { next in
            let work = Work { try await next(request, context) }
            do {
                return try await connection.cancelOnDisconnect { try await work.run() }
            } catch  where connection.isDisconnected {
                // Nobody reads this but the log and the counters.
                return Response(status: .clientClosedRequest)
            }
        }
    }
}

/// What one task alone does, while another waits for it.
private struct Work: @unchecked Sendable {
    let run: @concurrent () async throws -> Response
}

extension VenueContext {
    /// What knows whether the client is still there; nil where there is no connection, as in tests of the router.
    fileprivate var connection: DisconnectHandler? {
        // Looking into a pipeline from elsewhere would take a hop to the event loop and back.
        guard self.channel.eventLoop.inEventLoop else { return nil }
        return try? self.channel.pipeline.syncOperations.handler(type: DisconnectHandler.self)
    }
}

extension HTTPResponse.Status {
    /// Not in any RFC, but what most servers log for a request whose client did not wait for the answer.
    static let clientClosedRequest = Self(code: 499, reasonPhrase: "Client Closed Request")
}
