import Caching
package import Compression
package import IMDF
package import NIOCore
package import RevisionStore
import SyncModel
import Synchronization

/// Encoded chunks of large responses. However many requests need a chunk, also at the same time, it is read once and compressed
/// once for each content encoding.
package final class ChunkCache: Sendable {
    /// A chunk in one content encoding.
    package struct Key: Hashable, Sendable {
        let text: Digest
        let encoding: ContentCoding?
        /// Some encodings depend on where in the response a chunk begins; see `ContentCoding.alignment(of:)`.
        let alignment: Int

        /// - Parameter offset: The length of the text before the chunk.
        package init(_ text: Digest, in encoding: ContentCoding?, at offset: Int) {
            self.text = text
            self.encoding = encoding
            self.alignment = encoding?.alignment(of: offset) ?? 0
        }
    }

    package struct EncodedChunk: Sendable {
        package let bytes: ByteBuffer
        /// Of the text of a compressed chunk, for the checksum of the body; nil for an uncompressed one.
        package let checksum: CompressedChunk.Checksum?
    }

    /// Versions of one venue.
    package typealias Selection = (source: ResponseChunk.Source, versions: [VersionSummary])
    package typealias BodyReader = @Sendable ([Selection]) async throws -> [[UInt8]]

    let chunks: LRUCache<Key, EncodedChunk>
    /// Texts that were read recently, for requests with another content encoding.
    let texts: LRUCache<Digest, ByteBuffer>
    private let encodings = SingleFlight<Key, EncodedChunk>()
    private let reads = SingleFlight<Digest, ByteBuffer>()
    private let readBodies: BodyReader

    /// - Parameters:
    ///   - bytes: The bound of all encoded chunks together: about twice what a venue of 115,000 features takes uncompressed.
    ///   - textBytes: The bound of the texts that were read to be compressed.
    ///   - bodies: Reads the bodies of one or more venues in one statement.
    package init(bytes: Int = 120 << 20, textBytes: Int = 8 << 20, bodies: @escaping BodyReader) {
        self.chunks = LRUCache(cost: bytes)
        self.texts = LRUCache(cost: textBytes)
        self.readBodies = bodies
    }

    /// The bytes that it takes to keep a chunk beside its content.
    private static let overhead = 256

    package func cached(_ key: Key) -> EncodedChunk? { self.chunks.value(for: key) }

    /// The chunk from the cache, or encoded now. Errors are not cached. A request that is cancelled while it waits does not cancel
    /// the work for the others.
    ///
    /// - Parameter chunk: Returns the chunk that the key belongs to.
    package func encoded(
        _ key: Key, _ chunk: @escaping @Sendable () async throws -> ResponseChunk
    ) async throws -> EncodedChunk {
        try await self.encodings.value(for: key) {
            if let encoded = self.cached(key) { return encoded }
            let text = try await self.text(of: chunk())
            var encoded = EncodedChunk(bytes: text, checksum: nil)
            if let encoding = key.encoding {
                let compressed = try encoding.compressedChunk(Array(text.readableBytesView), at: key.alignment)
                encoded = EncodedChunk(bytes: ByteBuffer(bytes: compressed.bytes), checksum: compressed.checksum)
            }
            self.chunks.keep(encoded, for: key, cost: encoded.bytes.readableBytes + Self.overhead)
            return encoded
        }
    }

    /// How many requests wait for chunks that are being encoded.
    package var waiting: Int { self.encodings.waiting }

    /// The text of a chunk.
    package func text(of chunk: ResponseChunk) async throws -> ByteBuffer {
        try await self.reads.value(for: chunk.digest) {
            let plain = Key(chunk.digest, in: nil, at: 0)
            if let text = self.texts.value(for: chunk.digest) ?? self.cached(plain)?.bytes { return text }
            let text = try await self.read(chunk)
            self.texts.keep(text, for: chunk.digest, cost: text.readableBytes + Self.overhead)
            return text
        }
    }

    private func read(_ chunk: ResponseChunk) async throws -> ByteBuffer {
        var selections: [Selection] = []
        for case .bodies(let versions, let source, _) in chunk.parts {
            if selections.last?.source.venue.id != source.venue.id { selections.append((source, [])) }
            selections[selections.count - 1].versions += versions
        }
        let bodies = selections.isEmpty ? [] : try await self.readBodies(selections)
        var text = ByteBufferAllocator().buffer(capacity: chunk.length)
        var next = bodies.makeIterator()
        for part in chunk.parts {
            switch part {
            case .text(let bytes): text.writeBytes(bytes)
            case .bodies(let versions, let source, let isEnd):
                for (remaining, version) in zip((0..<versions.count).reversed(), versions) {
                    guard let body = next.next() else { throw StoreError.historyChanged }
                    text.writeBytes(source.isStrict ? try version.strictBody(body) : body)
                    text.writeBytes(ChangeSet.separator(isLast: isEnd && remaining == 0))
                }
            }
        }
        // Headers with this length may be sent already. Another length means another copy of the database.
        guard text.readableBytes == chunk.length else { throw StoreError.historyChanged }
        return text
    }
}
