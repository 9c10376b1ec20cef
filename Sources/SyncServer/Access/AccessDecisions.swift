import Hummingbird
import NIOCore
import Synchronization

/// The decisions by which a request was let in. They are taken again when its answer is ready, and before each further part of
/// an answer that takes its time: a key may be revoked and a venue made private while a request waits, works or sends.
final class AccessDecisions: Sendable {
    typealias Decision = @Sendable () async throws -> Void

    private let decisions = Mutex<[Decision]>([])

    func add(_ decision: @escaping Decision) {
        self.decisions.withLock { $0.append(decision) }
    }

    /// A request that has waited is decided on anew.
    func removeAll() {
        self.decisions.withLock { $0 = [] }
    }

    /// - Throws: What the request would be refused with if it came now.
    func confirm() async throws {
        for decision in self.decisions.withLock({ $0 }) { try await decision() }
    }
}

/// Sends nothing to who may not have it any more.
struct AccessDecisionsMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        context.decisions.removeAll()
        var response = try await next(request, context)
        // Whoever writes is decided on in the transaction that writes; what is written is answered, also to a key that has just
        // revoked itself.
        guard [.get, .head].contains(request.method) else { return response }
        try await context.decisions.confirm()
        // A large body takes its time, and the client may take longer.
        guard response.body.contentLength.map({ $0 > Self.largeBody }) ?? true else { return response }
        let (body, decisions) = (response.body, context.decisions)
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(ConfirmingWriter(writer: writer, decisions: decisions))
        }
        return response
    }

    /// Larger bodies, in bytes, are decided on while they are sent, too.
    private static let largeBody = 256 << 10
}

/// Ends an answer in the middle when the request would be refused by now.
private struct ConfirmingWriter: ResponseBodyWriter {
    /// Of one request, whose one task alone writes.
    nonisolated(unsafe) var writer: any ResponseBodyWriter
    let decisions: AccessDecisions

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await self.decisions.confirm()
        try await self.writer.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await self.writer.finish(trailingHeaders)
    }
}
