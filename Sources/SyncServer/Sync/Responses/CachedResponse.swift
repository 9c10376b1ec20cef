import Compression
import Hummingbird

/// A response as it is kept for the next request: encoded as a whole, or as a list of chunks.
package enum CachedResponse: Sendable {
    case encoded(EncodedResponse)
    case streamed(StreamedResponse)

    /// Whether the client's state changes by it, and not only its cursor.
    var hasChanges: Bool {
        switch self {
        case .encoded(let response): response.hasChanges
        case .streamed: true
        }
    }

    /// - Throws: `Problem.busy` if there is no memory for a long body that is sent as a whole; see ``ResponseMemory``.
    func response(for request: Request, to connection: DisconnectHandler? = nil) throws -> Response {
        switch self {
        case .encoded(let encoded):
            var response = encoded.response(for: request)
            if response.status == .ok { response.body = try .held(encoded.body) }
            return response
        case .streamed(let streamed): return streamed.response(for: request, to: connection)
        }
    }

    /// The bytes that it takes to keep it.
    var cost: Int {
        switch self {
        case .encoded(let response): response.body.readableBytes
        case .streamed(let response): response.cost
        }
    }

    /// The form that is kept: without the chunks, which the ``ChunkCache`` has.
    var withoutChunks: Self {
        if case .streamed(let response) = self { .streamed(response.withoutChunks) } else { self }
    }

    /// A streamed response as one body, if all its chunks are in the cache and it is not joined yet.
    func joined(in encoding: ContentCoding) -> Self? {
        guard case .streamed(let response) = self else { return nil }
        return response.joined(in: encoding)
    }

    /// Compresses the body of an encoded response. A body that fits into one or two packets is not worth compressing.
    func compressed(_ encoding: ContentCoding) throws -> Self {
        guard case .encoded(let plain) = self, plain.body.readableBytes >= 1 << 10 else { return self }
        return .encoded(try EncodedResponse(plain, in: encoding))
    }
}
