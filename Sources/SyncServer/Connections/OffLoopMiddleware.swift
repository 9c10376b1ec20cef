import Hummingbird

/// Has everything behind it done off the event loop of the connection, which many connections share.
struct OffLoopMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await next(request, context) }
    }
}

extension ResponseBody {
    /// A body that is worked out while it is sent, which is done off the loop, too.
    static func streamed(_ write: @escaping @Sendable (inout StreamWriter) async throws -> Void) -> ResponseBody {
        ResponseBody { writer in
            var own = StreamWriter(writer: writer)
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await write(&own) }
            try await own.finish()
        }
    }
}

/// Writes a body piece by piece. A write takes as long as the client takes to read.
struct StreamWriter {
    /// Of one request, whose one task alone writes.
    nonisolated(unsafe) var writer: any ResponseBodyWriter

    mutating func write(_ buffer: ByteBuffer) async throws { try await self.writer.write(buffer) }

    consuming func finish() async throws { try await self.writer.finish(nil) }
}
