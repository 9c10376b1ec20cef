import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Sets the `Content-Length` of a response to HEAD to that of GET (RFC 9110 §8.6), because a cache may take another length for
    /// a change. A body that is computed while it is sent is computed for this.
    func measured(for request: Request) async throws -> Response {
        guard request.method == .head, self.status == .ok, self.headers[.contentLength] == nil else { return self }
        let counter = ByteCounter()
        try await self.body.write(DiscardingWriter(counter: counter))
        var response = self
        response.headers[.contentLength] = "\(counter.bytes)"
        return response
    }
}

/// The bytes that one writer has received. Used by one task alone.
private final class ByteCounter {
    var bytes = 0
}

/// Counts bytes and discards them.
private struct DiscardingWriter: ResponseBodyWriter {
    let counter: ByteCounter

    mutating func write(_ buffer: ByteBuffer) async throws { self.counter.bytes += buffer.readableBytes }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
