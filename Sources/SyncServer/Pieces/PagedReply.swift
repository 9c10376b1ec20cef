import Compression
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import RevisionStore
import Synchronization

/// A reply that is too large to be kept whole: its pieces are kept, for as long as there is room for them, and sent as they come.
///
/// A sender holds about ``window`` bytes at a time, however slowly the client reads, and no connection to the database.
package struct PagedReply: Sendable {
    /// Those that do not depend on who asks.
    let headers: HTTPFields
    let tag: String
    /// Bytes of the text.
    let length: Int
    private let slots: [Slot]
    private let cache: PieceCache
    /// What the pieces consist of: many times as large as the rest, and only needed until they were read.
    private var pieces: [Piece]?
    private let cut: @Sendable () async throws -> [Piece]

    private struct Slot {
        let digest: Digest
        let length: Int
    }

    /// Bytes after which what is there is handed to a connection. While the client reads it, as much again is held.
    private static let window = 128 << 10
    /// What fits into a packet or two is not worth compressing.
    private static let leastCompressed = 1 << 10
    /// Texts of up to so many bytes are kept as one compressed body, if that is no longer than ``mostJoined``: one write instead
    /// of dozens.
    private static let mostText = 16 << 20
    private static let mostJoined = 2 << 20

    /// - Parameter cut: Works the pieces out once more.
    init(
        headers: HTTPFields, tag: String, pieces: [Piece], cache: PieceCache,
        cut: @escaping @Sendable () async throws -> [Piece]
    ) {
        self.headers = headers
        self.tag = tag
        self.length = pieces.reduce(0) { $0 + $1.length }
        self.slots = pieces.map { Slot(digest: $0.digest, length: $0.length) }
        self.cache = cache
        self.pieces = pieces
        self.cut = cut
    }

    /// What is kept of it: who needs a piece that was forgotten works out again what it consists of.
    var withoutPieces: PagedReply {
        var reply = self
        reply.pieces = nil
        return reply
    }

    /// Bytes that it takes to keep the reply, without its pieces.
    var cost: Int { 512 + MemoryLayout<Slot>.stride * self.slots.count }

    func response(for request: Request) -> Response {
        var coding = ContentCoding.preferred(by: request.headers[.acceptEncoding])
        if self.length < Self.leastCompressed { coding = nil }
        var headers = self.headers
        headers[.contentEncoding] = coding?.rawValue
        return Response(status: .ok, headers: headers, body: self.body(in: coding)).tagged(self.tag, for: request)
    }

    /// Whether ``joined(in:)`` may have an answer once all pieces were sent in this coding.
    func isJoinable(in coding: ContentCoding?) -> Bool {
        coding != nil && self.length >= Self.leastCompressed && self.length <= Self.mostText
    }

    /// The whole reply as one compressed body; nil while a piece of it is not in the cache, or when it is too large.
    func joined(in coding: ContentCoding) -> EncodedResponse? {
        guard self.isJoinable(in: coding) else { return nil }
        var joiner = PieceJoiner(coding)
        var buffers: [ByteBuffer] = []
        var (offset, bytes) = (0, 0)
        for slot in self.slots {
            let name = PieceCache.Name(slot.digest, in: coding, at: offset)
            guard let ready = self.cache.kept(name), let seam = ready.seam else { return nil }
            joiner.append(seam)
            buffers.append(ready.bytes)
            offset += slot.length
            bytes += ready.bytes.readableBytes
            guard bytes <= Self.mostJoined else { return nil }
        }
        let (opening, closing) = (joiner.opening, joiner.closing)
        var body = ByteBufferAllocator().buffer(capacity: opening.count + bytes + closing.count)
        body.writeBytes(opening)
        for var buffer in buffers { body.writeBuffer(&buffer) }
        body.writeBytes(closing)
        var headers = self.headers
        headers[.contentEncoding] = coding.rawValue
        return EncodedResponse(joined: body, headers: headers, tag: self.tag)
    }

    private func body(in coding: ContentCoding?) -> ResponseBody {
        ResponseBody(contentLength: coding == nil ? self.length : nil) { writer in
            let source = PieceSource(self.pieces)
            var joiner = coding.map(PieceJoiner.init)
            var window = Window(joiner?.opening ?? [])
            var offset = 0
            for (index, slot) in self.slots.enumerated() {
                let name = PieceCache.Name(slot.digest, in: coding, at: offset)
                var ready = self.cache.kept(name)
                if ready == nil {
                    // Nobody waits for the database with something in hand that the client could have.
                    if let buffers = window.take() { try await writer.write(contentsOf: buffers) }
                    self.prepare(index + 1, in: coding, at: offset + slot.length, from: source)
                    ready = try await self.ready(index, as: name, from: source)
                }
                guard let ready else { continue }
                if let seam = ready.seam { joiner?.append(seam) }
                offset += slot.length
                window.append(ready.bytes)
                if window.bytes >= Self.window, let buffers = window.take() {
                    try await writer.write(contentsOf: buffers)
                }
            }
            window.append(ByteBuffer(bytes: joiner?.closing ?? []))
            if let buffers = window.take() { try await writer.write(contentsOf: buffers) }
            try await writer.finish(nil)
        }
    }

    private func ready(
        _ index: Int, as name: PieceCache.Name, from source: PieceSource
    ) async throws -> PieceCache.Ready {
        try await self.cache.ready(name) { try await self.piece(index, from: source) }
    }

    /// Has a piece worked out while the one before it is.
    private func prepare(_ index: Int, in coding: ContentCoding?, at offset: Int, from source: PieceSource) {
        guard index < self.slots.count else { return }
        let name = PieceCache.Name(self.slots[index].digest, in: coding, at: offset)
        guard self.cache.kept(name) == nil else { return }
        Task { try await self.ready(index, as: name, from: source) }
    }

    private func piece(_ index: Int, from source: PieceSource) async throws -> Piece {
        if let pieces = source.pieces { return pieces[index] }
        let pieces = try await self.cut()
        // What is not the same any more cannot be gone on with.
        guard pieces.map(\.digest) == self.slots.map(\.digest) else { throw StoreError.historyChanged }
        source.pieces = pieces
        return pieces[index]
    }

    /// What the pieces consist of, for as long as one client is sent them.
    private final class PieceSource: Sendable {
        private let known: Mutex<[Piece]?>

        init(_ pieces: [Piece]?) {
            self.known = Mutex(pieces)
        }

        var pieces: [Piece]? {
            get { self.known.withLock(\.self) }
            set { self.known.withLock { $0 = newValue } }
        }
    }

    /// What is to be written at once.
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
