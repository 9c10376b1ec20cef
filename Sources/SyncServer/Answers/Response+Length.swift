import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Says to HEAD how long the answer to GET is, as RFC 9110 §8.6 has it: a cache may take another length for news. A body that is
    /// worked out while it is sent is worked out for that.
    func measured(for request: Request) async throws -> Response {
        guard request.method == .head, self.status == .ok, self.headers[.contentLength] == nil else { return self }
        let scale = Scale()
        try await self.body.write(Weighing(scale: scale))
        var response = self
        response.headers[.contentLength] = "\(scale.bytes)"
        return response
    }
}

/// How many bytes one writer has seen, which works alone.
private final class Scale {
    var bytes = 0
}

/// Sends nothing.
private struct Weighing: ResponseBodyWriter {
    let scale: Scale

    mutating func write(_ buffer: ByteBuffer) async throws { self.scale.bytes += buffer.readableBytes }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
