import CBrotli
import CZlib
import CZstd
import Compression
import Foundation
import IMDF
import SampleVenue
import Subprocess
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// What a receiver gets from the first bytes of a body.
struct Unpacked {
    var bytes: [UInt8]
    /// Whether the body has ended, and with the last of the bytes.
    var isWhole: Bool
}

extension ContentCoding {
    /// Unpacked by the library that packed it. Nothing that fails to be read is left out: it throws.
    func unpacked(_ packed: [UInt8]) throws -> Unpacked {
        switch self {
        case .gzip: try Self.inflate(packed)
        case .br: try Self.brotli(packed)
        case .zstd: try Self.zstd(packed)
        }
    }

    /// Unpacked as a whole.
    func whole(_ packed: [UInt8]) throws -> [UInt8] {
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
            guard left != 0, position < packed.count || written == room.count else { break }
        }
        return Unpacked(bytes: output, isWhole: left == 0 && position == packed.count)
    }

    /// The program that everybody has it from.
    var program: String {
        switch self {
        case .gzip: "gzip"
        case .br: "brotli"
        case .zstd: "zstd"
        }
    }

    /// What the program makes of these bytes; nil when it is not installed.
    func run(_ arguments: [String], on bytes: [UInt8]) async throws -> [UInt8]? {
        let programs = ["/usr/bin/", "/bin/", "/opt/homebrew/bin/"].map { $0 + self.program }
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else { return nil }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .array(bytes),
            output: .bytes(limit: 64 << 20), error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput
    }
}

/// Things to compress.
enum Text {
    /// The bodies of a small venue as they stand in replies, one on a line.
    static let features: [[UInt8]] = SampleVenue(.small).features.map { CanonicalJSON.data(.object($0.body)) }

    static func venue() -> [UInt8] { Array(self.features.joined(separator: Array(",\n".utf8))) }

    /// So many bytes: the venue over and over, with a number that is never the same after every feature.
    static func long(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed), text: [UInt8] = []
        text.reserveCapacity(count + 4_096)
        while text.count < count {
            text += self.features[Int.random(in: self.features.indices, using: &random)]
            text += Array("\(random.next())\n".utf8)
        }
        text.removeLast(text.count - count)
        return text
    }

    /// Bytes that cannot be shortened.
    static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
