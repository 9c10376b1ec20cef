import CBrotli
import CZlib
import CZstd
package import Compression
import Testing

/// The content of the first bytes of an encoded body.
package struct DecodedBody {
    package var bytes: [UInt8]
    /// Whether the body ends exactly with the last byte.
    package var isComplete: Bool
}

extension ContentCoding {
    /// Decodes the beginning of a body. Throws when any byte is invalid.
    ///
    /// - Parameter isOneFrame: Whether a body ends with its first zstd frame, as that of one compressor does.
    package func partiallyDecoded(_ encoded: [UInt8], isOneFrame: Bool = false) throws -> DecodedBody {
        switch self {
        case .gzip: try Self.inflate(encoded)
        case .br: try Self.brotli(encoded)
        case .zstd: try Self.zstd(encoded, isOneFrame: isOneFrame)
        }
    }

    /// Decodes a complete body.
    package func decoded(_ encoded: [UInt8], isOneFrame: Bool = false) throws -> [UInt8] {
        let body = try self.partiallyDecoded(encoded, isOneFrame: isOneFrame)
        try #require(body.isComplete)
        return body.bytes
    }

    private static let bufferSize = 1 << 16

    private static func inflate(_ encoded: [UInt8]) throws -> DecodedBody {
        var encoded = encoded, output: [UInt8] = [], stream = z_stream()
        try #require(inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var buffer = [UInt8](repeating: 0, count: self.bufferSize)
        let status = encoded.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let (status, written) = buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, buffer.count - Int(stream.avail_out))
                }
                output += buffer[..<written]
                guard status == Z_OK, written > 0 else { return status }
            }
        }
        try #require(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
        return DecodedBody(bytes: output, isComplete: status == Z_STREAM_END && stream.avail_in == 0)
    }

    private static func brotli(_ encoded: [UInt8]) throws -> DecodedBody {
        let state = try #require(BrotliDecoderCreateInstance(nil, nil, nil))
        defer { BrotliDecoderDestroyInstance(state) }
        var output: [UInt8] = [], unread = encoded.count
        var buffer = [UInt8](repeating: 0, count: self.bufferSize)
        let result = encoded.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            while true {
                let (result, written) = buffer.withUnsafeMutableBufferPointer { buffer in
                    var free = buffer.count
                    var sink = buffer.baseAddress
                    let result = BrotliDecoderDecompressStream(state, &unread, &next, &free, &sink, nil)
                    return (result, buffer.count - free)
                }
                output += buffer[..<written]
                // The decoder may ask for input while it still has output.
                guard result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT || written == buffer.count else {
                    return result
                }
            }
        }
        try #require(result != BROTLI_DECODER_RESULT_ERROR)
        return DecodedBody(bytes: output, isComplete: result == BROTLI_DECODER_RESULT_SUCCESS && unread == 0)
    }

    private static func zstd(_ encoded: [UInt8], isOneFrame: Bool) throws -> DecodedBody {
        let context = try #require(ZSTD_createDCtx())
        defer { ZSTD_freeDCtx(context) }
        var output: [UInt8] = [], position = 0, left = 1
        var buffer = [UInt8](repeating: 0, count: self.bufferSize)
        while true {
            let written = encoded.withUnsafeBytes { input in
                buffer.withUnsafeMutableBytes { buffer in
                    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: position)
                    var sink = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                    left = ZSTD_decompressStream(context, &sink, &source)
                    position = source.pos
                    return sink.pos
                }
            }
            try #require(ZSTD_isError(left) == 0)
            output += buffer[..<written]
            if left == 0, isOneFrame { break }
            guard position < encoded.count || left != 0 && written == buffer.count else { break }
        }
        return DecodedBody(bytes: output, isComplete: left == 0 && position == encoded.count)
    }
}
