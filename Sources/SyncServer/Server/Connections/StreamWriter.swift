import Hummingbird
import NIOCore

extension ResponseBody {
    /// A body that is computed while it is sent, off the event loop.
    static func streamed(_ write: @escaping @Sendable (inout StreamWriter) async throws -> Void) -> ResponseBody {
        ResponseBody { writer in
            var stream = StreamWriter(writer: writer)
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await write(&stream) }
            try await stream.finish()
        }
    }
}

/// Writes a body in parts. A write returns when the client has read enough of the ones before.
struct StreamWriter {
    /// Used by the one task that sends the response.
    nonisolated(unsafe) var writer: any ResponseBodyWriter

    /// Few parts are longer, in bytes: those with a very large feature. They count in the ``ResponseMemory`` while they are sent.
    private static let maxUncountedPart = 1 << 20

    mutating func write(_ buffer: ByteBuffer) async throws {
        guard buffer.readableBytes > Self.maxUncountedPart else { return try await self.writer.write(buffer) }
        try await self.write(ResponseMemory.current.hold(buffer))
    }

    consuming func finish() async throws { try await self.writer.finish(nil) }
}
