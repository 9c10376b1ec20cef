internal import CZlib

/// A chunk of a text that is compressed on its own, once for all bodies that contain it.
///
/// ``ChunkJoiner`` joins chunks to a body; each has to be encoded for its offset in the body.
package struct CompressedChunk: Sendable {
    package let bytes: [UInt8]
    package let checksum: Checksum

    /// The length and the CRC-32 of a chunk's text, from which ``ChunkJoiner`` computes those of the body.
    package struct Checksum: Hashable, Sendable {
        package let length: Int
        /// The CRC-32 of the text, and the operator that combines the CRC-32 of the text before it with it (`crc32_combine_gen`); 0 if
        /// the coding has no checksum.
        let crc32: UInt
        let combineOperator: UInt
    }
}

extension ContentCoding {
    /// The part of a chunk's offset that its encoding depends on. Chunks of the same text and the same value have the same bytes.
    ///
    /// Brotli numbers the references to its dictionary from the end of the text that can be referred to, which is at most a window
    /// (RFC 7932 §8). Beyond the first window, and in the other codings, the encoding does not depend on the offset.
    package func alignment(of offset: Int) -> Int {
        self == .br ? min(offset, 1 << BrotliEncoder.chunkWindowBits) : 0
    }

    /// Compresses a chunk for a ``alignment(of:)`` its offset.
    ///
    /// - gzip: deflate blocks that end at a byte boundary (a "sync flush") and refer to no earlier text. All chunks form one gzip
    ///   member, because many programs read only the first one of several.
    /// - zstd: a frame. Concatenated frames are one content (RFC 8878 §3.1); curl, Chromium and the HTTP clients of Python (urllib3,
    ///   httpx, aiohttp) support that.
    /// - br: meta-blocks that end at a byte boundary and refer to no earlier text. The library needs the correct offset for that; with a
    ///   wrong one, most bodies cannot be decompressed.
    ///
    /// - Parameter text: At least one byte.
    package func compressedChunk(_ text: [UInt8], at alignment: Int) throws(CompressionError) -> CompressedChunk {
        precondition(!text.isEmpty, "a chunk is not empty")
        let bytes: [UInt8]
        var (crc32, combineOperator): (UInt, UInt) = (0, 0)
        switch self {
        case .br:
            let compressor = Compressor(try BrotliEncoder(.chunk, chunkAt: alignment), size: text.count)
            bytes = try compressor.append(text) + compressor.flush()
        case .zstd:
            bytes = try Compressor(ZstdEncoder(.chunk), size: text.count).finish(text)
        case .gzip:
            let compressor = Compressor(try GzipEncoder(.chunk, isChunk: true), size: text.count)
            bytes = try compressor.append(text) + compressor.flush()
            crc32 = crc32_z(0, text, text.count)
            combineOperator = crc32_combine_gen(text.count)
        }
        return CompressedChunk(
            bytes: bytes, checksum: .init(length: text.count, crc32: crc32, combineOperator: combineOperator))
    }
}

/// Joins encoded chunks to one body: ``opening``, the bytes of the chunks, ``closing``.
package struct ChunkJoiner: Sendable {
    private let coding: ContentCoding
    /// The length of the text so far.
    package private(set) var length = 0
    private var crc32: UInt = 0
    private var isEmpty = true

    package init(_ coding: ContentCoding) {
        self.coding = coding
    }

    /// Adds a chunk, which has to be encoded for ``ContentCoding/alignment(of:)`` the ``length`` so far.
    package mutating func append(_ checksum: CompressedChunk.Checksum) {
        if self.coding == .gzip {
            self.crc32 = crc32_combine_op(self.crc32, checksum.crc32, checksum.combineOperator)
        }
        self.length += checksum.length
        self.isEmpty = false
    }

    /// The bytes before the first chunk.
    package var opening: [UInt8] {
        // RFC 1952 §2.3: deflate, no flags, no time, no comment, Unix.
        self.coding == .gzip ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] : []
    }

    /// The bytes after the last chunk.
    package var closing: [UInt8] {
        switch self.coding {
        // The last, empty block, and the length modulo 2³².
        case .gzip:
            [3, 0] + Self.fourBytes(UInt32(self.crc32)) + Self.fourBytes(UInt32(truncatingIfNeeded: self.length))
        // An empty frame, if there are no chunks.
        case .zstd: self.isEmpty ? [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0] : []
        // The last, empty meta-block; after a stream header if there was no chunk with one.
        case .br: self.isEmpty ? [6] : [3]
        }
    }

    private static func fourBytes(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
