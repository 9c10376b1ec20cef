internal import CZlib

/// A piece of a text, compressed apart from the rest of it: once, for all bodies in which the piece stands.
///
/// A ``PieceJoiner`` makes one body of the pieces, as long as they are encoded for where they stand.
package struct EncodedPiece: Sendable {
    package let bytes: [UInt8]
    package let seam: Seam

    /// What has to be known of a piece's text to join it to what comes before.
    package struct Seam: Hashable, Sendable {
        package let length: Int
        /// CRC-32 of the text, and what takes that of a text before it past this one; 0 where the coding has no checksum.
        let checksum: UInt
        let shift: UInt
    }
}

extension ContentCoding {
    /// How a piece is encoded may depend on how much text comes before it. Where this is the same, so are the bytes.
    ///
    /// Brotli counts references to its dictionary from the end of what can be referred to, which is at most a window
    /// (RFC 7932 §8). What comes after the first window does not depend on its place, nor does anything in the other codings.
    package func place(of offset: Int) -> Int {
        self == .br ? min(offset, 1 << BrotliEncoder.pieceWindowBits) : 0
    }

    /// Compresses a piece, of which ``place(of:)`` its beginning is given.
    ///
    /// - gzip: blocks of deflate that end with a byte (a "sync flush") and refer to nothing before them. All pieces are one member:
    ///   many programs read only the first of several.
    /// - zstd: a frame. Frames that follow each other are one content (RFC 8878 §3.1); curl, Chromium and the HTTP clients of Python
    ///   (urllib3, httpx, aiohttp) read them all.
    /// - br: meta-blocks that end with a byte and refer to nothing before them, as the library makes them when it is told how much
    ///   came before. Told wrong, most bodies cannot be read.
    ///
    /// - Parameter text: At least a byte.
    /// - Throws: ``CompressionError`` when there is no memory.
    package func encodedPiece(_ text: [UInt8], at place: Int) throws(CompressionError) -> EncodedPiece {
        precondition(!text.isEmpty, "where nothing comes before a piece, it is the first")
        let bytes: [UInt8]
        var (checksum, shift): (UInt, UInt) = (0, 0)
        switch self {
        case .br:
            let compressor = Compressor(try BrotliEncoder(.piece, pieceAt: place), size: text.count)
            bytes = try compressor.append(text) + compressor.flush()
        case .zstd:
            bytes = try Compressor(ZstdEncoder(.piece), size: text.count).finish(text)
        case .gzip:
            let compressor = Compressor(try GzipEncoder(.piece, isPiece: true), size: text.count)
            bytes = try compressor.append(text) + compressor.flush()
            checksum = crc32_z(0, text, text.count)
            shift = crc32_combine_gen(text.count)
        }
        return EncodedPiece(bytes: bytes, seam: .init(length: text.count, checksum: checksum, shift: shift))
    }
}

/// Makes one body of encoded pieces: ``opening``, the bytes of the pieces, ``closing``.
package struct PieceJoiner: Sendable {
    private let coding: ContentCoding
    /// Of all texts so far.
    package private(set) var length = 0
    private var checksum: UInt = 0
    private var isEmpty = true

    package init(_ coding: ContentCoding) {
        self.coding = coding
    }

    /// Notes that a piece follows, which is encoded for ``ContentCoding/place(of:)`` the length so far.
    package mutating func append(_ seam: EncodedPiece.Seam) {
        if self.coding == .gzip { self.checksum = crc32_combine_op(self.checksum, seam.checksum, seam.shift) }
        self.length += seam.length
        self.isEmpty = false
    }

    /// What stands before the first piece.
    package var opening: [UInt8] {
        // RFC 1952 §2.3: deflate, no flags, no time, no remark, Unix.
        self.coding == .gzip ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] : []
    }

    /// What stands behind the last piece.
    package var closing: [UInt8] {
        switch self.coding {
        // The last, empty block, and the length modulo 2³².
        case .gzip:
            [3, 0] + Self.fourBytes(UInt32(self.checksum)) + Self.fourBytes(UInt32(truncatingIfNeeded: self.length))
        // A frame of nothing, where there is none.
        case .zstd: self.isEmpty ? [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0] : []
        // The last, empty meta-block, behind a head where there was no piece to bring one.
        case .br: self.isEmpty ? [6] : [3]
        }
    }

    private static func fourBytes(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
