import Compression
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import RevisionStore
import Synchronization

/// A response that is too large to be kept as a whole: its chunks are cached, and sent one after the other.
///
/// Sending holds about ``windowBytes`` in memory, however slowly the client reads, and no connection to the database.
package struct StreamedResponse: Sendable {
    /// Header fields that do not depend on the request.
    let headers: HTTPFields
    let tag: String
    /// The length of the uncompressed body in bytes.
    let length: Int
    private let identities: [ChunkIdentity]
    private let cache: ChunkCache
    /// The content of the chunks. It takes many times the memory of the rest, and is not kept.
    private var chunks: [ResponseChunk]?
    private let makeChunks: @Sendable () async throws -> [ResponseChunk]
    /// The bytes that it takes to keep ``makeChunks``.
    private let makerCost: Int
    /// The whole compressed body, once it was joined. It is sent while there is memory for it; see ``ResponseMemory``.
    private var joinedBody: ByteBuffer?

    /// The identity of a chunk.
    private struct ChunkIdentity {
        let digest: Digest
        let length: Int
    }

    /// Bytes that are collected before a write. While the client reads them, as many more are held.
    private static let windowBytes = 128 << 10
    /// Bytes that are written before other connections have their turn. Responses up to ``maxBytesOfFirstTurn`` do not wait.
    private static let turnBytes = 128 << 10
    private static let maxBytesOfFirstTurn = 512 << 10
    /// A body that fits into one or two packets is not worth compressing.
    private static let minCompressedLength = 1 << 10
    /// Bodies up to this length are joined to one compressed body, unless that exceeds ``maxJoinedBytes``: one write instead of dozens.
    private static let maxJoinedLength = 16 << 20
    private static let maxJoinedBytes = 2 << 20

    /// - Parameters:
    ///   - makerCost: The bytes that `makeChunks` holds.
    ///   - makeChunks: Makes the chunks once more, for a response that was kept without them.
    init(
        headers: HTTPFields, tag: String, chunks: [ResponseChunk], cache: ChunkCache, makerCost: Int = 0,
        makeChunks: @escaping @Sendable () async throws -> [ResponseChunk]
    ) {
        self.headers = headers
        self.tag = tag
        self.length = chunks.reduce(0) { $0 + $1.length }
        self.identities = chunks.map { ChunkIdentity(digest: $0.digest, length: $0.length) }
        self.cache = cache
        self.chunks = chunks
        self.makerCost = makerCost
        self.makeChunks = makeChunks
    }

    /// The form that is kept. A chunk that is no longer in the cache is made again.
    var withoutChunks: StreamedResponse {
        var response = self
        response.chunks = nil
        return response
    }

    /// The bytes that it takes to keep the response, without its chunks.
    var cost: Int {
        512 + MemoryLayout<ChunkIdentity>.stride * self.identities.count + self.makerCost
            + (self.joinedBody?.readableBytes ?? 0)
    }

    /// - Parameter connection: If chunks are made again, that ends when its client disconnects.
    func response(for request: Request, to connection: DisconnectHandler? = nil) -> Response {
        var encoding = ContentCoding.preferred(by: request.headers[.acceptEncoding])
        if self.length < Self.minCompressedLength { encoding = nil }
        var headers = self.headers
        headers[.contentEncoding] = encoding?.rawValue
        var response = Response(status: .ok, headers: headers, body: self.body(in: encoding, to: connection))
            .tagged(self.tag, for: request)
        if response.status == .ok, let joined = self.joinedBody.flatMap({ try? ResponseBody.held($0) }) {
            response.body = joined
        }
        return response
    }

    /// The same response with one compressed body; a short one is kept as a whole. Nil if it has one, while a chunk is not in the cache, or
    /// if the body is too large.
    func joined(in encoding: ContentCoding) -> CachedResponse? {
        guard self.joinedBody == nil, (Self.minCompressedLength...Self.maxJoinedLength).contains(self.length) else {
            return nil
        }
        var joiner = ChunkJoiner(encoding)
        var buffers: [ByteBuffer] = []
        var (offset, bytes) = (0, 0)
        for identity in self.identities {
            let key = ChunkCache.Key(identity.digest, in: encoding, at: offset)
            guard let chunk = self.cache.cached(key), let checksum = chunk.checksum else { return nil }
            joiner.append(checksum)
            buffers.append(chunk.bytes)
            offset += identity.length
            bytes += chunk.bytes.readableBytes
            guard bytes <= Self.maxJoinedBytes else { return nil }
        }
        let (opening, closing) = (joiner.opening, joiner.closing)
        var body = ByteBufferAllocator().buffer(capacity: opening.count + bytes + closing.count)
        body.writeBytes(opening)
        for var buffer in buffers { body.writeBuffer(&buffer) }
        body.writeBytes(closing)
        guard body.readableBytes <= Response.largeBody else {
            var response = self
            response.joinedBody = body
            return .streamed(response)
        }
        var headers = self.headers
        headers[.contentEncoding] = encoding.rawValue
        return .encoded(EncodedResponse(joined: body, headers: headers, tag: self.tag))
    }

    private func body(in encoding: ContentCoding?, to connection: DisconnectHandler?) -> ResponseBody {
        ResponseBody(contentLength: encoding == nil ? self.length : nil) { writer in
            let source = ChunkSource(self.chunks)
            var nextChunk: Task<Void, any Error>?
            defer { nextChunk?.cancel() }
            var joiner = encoding.map(ChunkJoiner.init)
            var window = Window(joiner?.opening ?? [])
            var (offset, bytesOfTurn) = (0, Self.turnBytes - Self.maxBytesOfFirstTurn)
            for (index, identity) in self.identities.enumerated() {
                let key = ChunkCache.Key(identity.digest, in: encoding, at: offset)
                var chunk = self.cache.cached(key)
                if chunk == nil {
                    // Written first, so that the client need not wait for the database.
                    if let buffers = window.take() { try await writer.write(contentsOf: buffers) }
                    nextChunk = self.prefetch(index + 1, in: encoding, at: offset + identity.length, from: source)
                    chunk = try await connection.cancelOnDisconnect {
                        try await self.encoded(index, as: key, from: source)
                    }
                }
                guard let chunk else { continue }
                if let checksum = chunk.checksum { joiner?.append(checksum) }
                offset += identity.length
                window.append(chunk.bytes)
                guard window.bytes >= Self.windowBytes else { continue }
                bytesOfTurn += window.bytes
                if let buffers = window.take() { try await writer.write(contentsOf: buffers) }
                guard bytesOfTurn >= Self.turnBytes else { continue }
                bytesOfTurn = 0
                await EventLoopExecutor.waitForTurn()
            }
            window.append(ByteBuffer(bytes: joiner?.closing ?? []))
            if let buffers = window.take() { try await writer.write(contentsOf: buffers) }
            try await writer.finish(nil)
        }
    }

    private func encoded(
        _ index: Int, as key: ChunkCache.Key, from source: ChunkSource
    ) async throws -> ChunkCache.EncodedChunk {
        try await self.cache.encoded(key) { try await self.chunk(index, from: source) }
    }

    /// Encodes a chunk while the one before it is encoded, unless all chunks have to be made for that one.
    private func prefetch(
        _ index: Int, in encoding: ContentCoding?, at offset: Int, from source: ChunkSource
    ) -> Task<Void, any Error>? {
        guard index < self.identities.count, source.chunks != nil else { return nil }
        let key = ChunkCache.Key(self.identities[index].digest, in: encoding, at: offset)
        guard self.cache.cached(key) == nil else { return nil }
        return Task { _ = try await self.encoded(index, as: key, from: source) }
    }

    private func chunk(_ index: Int, from source: ChunkSource) async throws -> ResponseChunk {
        if let chunks = source.chunks { return chunks[index] }
        let chunks = try await self.makeChunks()
        // The beginning of the response was sent; a different continuation would corrupt it.
        guard chunks.map(\.digest) == self.identities.map(\.digest) else { throw StoreError.historyChanged }
        source.chunks = chunks
        return chunks[index]
    }

    /// The content of the chunks, for as long as the response is sent to one client.
    private final class ChunkSource: Sendable {
        private let stored: Mutex<[ResponseChunk]?>

        init(_ chunks: [ResponseChunk]?) {
            self.stored = Mutex(chunks)
        }

        var chunks: [ResponseChunk]? {
            get { self.stored.withLock(\.self) }
            set { self.stored.withLock { $0 = newValue } }
        }
    }

    /// The buffers of the next write.
    private struct Window {
        private var buffers: [ByteBuffer] = []
        private(set) var bytes = 0

        init(_ opening: [UInt8]) {
            self.append(ByteBuffer(bytes: opening))
        }

        mutating func append(_ buffer: ByteBuffer) {
            guard buffer.readableBytes > 0 else { return }
            self.buffers.append(buffer)
            self.bytes += buffer.readableBytes
        }

        mutating func take() -> [ByteBuffer]? {
            guard self.bytes > 0 else { return nil }
            defer { (self.buffers, self.bytes) = ([], 0) }
            return self.buffers
        }
    }
}
