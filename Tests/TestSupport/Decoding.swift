import CBrotli
import CZlib
import CZstd
package import Compression
import Testing

/// What a receiver gets from the first bytes of a body.
package struct Unpacked {
    package var bytes: [UInt8]
    /// Whether the body has ended, and with the last of the bytes.
    package var isWhole: Bool
}

extension ContentCoding {
    /// Unpacked by the library that packed it. Nothing that fails to be read is left out: it throws.
    package func unpacked(_ packed: [UInt8]) throws -> Unpacked {
        switch self {
        case .gzip: try Self.inflate(packed)
        case .br: try Self.brotli(packed)
        case .zstd: try Self.zstd(packed)
        }
    }

    /// Unpacked as a whole.
    package func whole(_ packed: [UInt8]) throws -> [UInt8] {
        let unpacked = try self.unpacked(packed)
        try #require(unpacked.isWhole)
        return unpacked.bytes
    }

    private static let room = 1 << 16

    private static func inflate(_ packed: [UInt8]) throws -> Unpacked {
        var packed = packed, output: [UInt8] = [], stream = z_stream()
        try #require(inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var room = [UInt8](repeating: 0, count: self.room)
        let status = packed.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let (status, written) = room.withUnsafeMutableBufferPointer { room in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.avail_out))
                }
                output += room[..<written]
                guard status == Z_OK, written > 0 else { return status }
            }
        }
        try #require(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
        return Unpacked(bytes: output, isWhole: status == Z_STREAM_END && stream.avail_in == 0)
    }

    private static func brotli(_ packed: [UInt8]) throws -> Unpacked {
        let state = try #require(BrotliDecoderCreateInstance(nil, nil, nil))
        defer { BrotliDecoderDestroyInstance(state) }
        var output: [UInt8] = [], unread = packed.count
        var room = [UInt8](repeating: 0, count: self.room)
        let result = packed.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            while true {
                let (result, written) = room.withUnsafeMutableBufferPointer { room in
                    var free = room.count
                    var sink = room.baseAddress
                    let result = BrotliDecoderDecompressStream(state, &unread, &next, &free, &sink, nil)
                    return (result, room.count - free)
                }
                output += room[..<written]
                // It may ask for more while it still has something to give.
                guard result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT || written == room.count else { return result }
            }
        }
        try #require(result != BROTLI_DECODER_RESULT_ERROR)
        return Unpacked(bytes: output, isWhole: result == BROTLI_DECODER_RESULT_SUCCESS && unread == 0)
    }

    private static func zstd(_ packed: [UInt8]) throws -> Unpacked {
        let context = try #require(ZSTD_createDCtx())
        defer { ZSTD_freeDCtx(context) }
        var output: [UInt8] = [], position = 0, left = 1
        var room = [UInt8](repeating: 0, count: self.room)
        while true {
            let written = packed.withUnsafeBytes { input in
                room.withUnsafeMutableBytes { room in
                    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: position)
                    var sink = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                    left = ZSTD_decompressStream(context, &sink, &source)
                    position = source.pos
                    return sink.pos
                }
            }
            try #require(ZSTD_isError(left) == 0)
            output += room[..<written]
            // Behind a frame there may be another one.
            guard position < packed.count || left != 0 && written == room.count else { break }
        }
        return Unpacked(bytes: output, isWhole: left == 0 && position == packed.count)
    }
}
