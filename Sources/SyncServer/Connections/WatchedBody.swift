import Hummingbird
import NIOCore

/// The writer of a body under such watch.
struct WatchedWriter {
    /// Of one request, whose one task alone writes.
    nonisolated(unsafe) var writer: any ResponseBodyWriter
    let channel: any Channel
    let stalls: Stalls

    mutating func write(_ buffer: ByteBuffer) async throws {
        let write = self.stalls.begin(to: self.channel)
        defer { self.stalls.end(write) }
        try await self.writer.write(buffer)
    }

    consuming func finish() async throws {
        try await self.writer.finish(nil)
    }
}

extension ResponseBody {
    /// A body that is worked out while it is sent: off the event loop of its connection, which others share, and given up when
    /// the client does not read.
    static func streamed(
        over channel: any Channel, watchedBy stalls: Stalls,
        _ write: @escaping @Sendable (inout WatchedWriter) async throws -> Void
    ) -> ResponseBody {
        ResponseBody { writer in
            nonisolated(unsafe) var watched = WatchedWriter(writer: writer, channel: channel, stalls: stalls)
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await write(&watched) }
            try await watched.finish()
        }
    }
}
