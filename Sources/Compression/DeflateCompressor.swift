internal import CLibdeflate
import Synchronization

/// Compresses whole buffers with libdeflate, which compresses better than zlib in the same time, but has no preset dictionaries.
package enum DeflateCompressor {
    package enum Container: Sendable {
        /// RFC 1950.
        case zlib
        /// RFC 1952, without a name and a time.
        case gzip
        /// RFC 1951, without a container.
        case raw
    }

    /// Compressors are larger than what they compress, so they are used again.
    private struct Idle: @unchecked Sendable {
        var compressors: [Int32: [OpaquePointer]] = [:]
    }

    private static let idle = Mutex(Idle())
    /// How many compressors of a level are kept.
    private static let maximumIdle = 4

    /// - Parameter level: 1 to 12.
    package static func compressed(_ bytes: [UInt8], as container: Container, level: Int32) -> [UInt8] {
        let kept = self.idle.withLock { $0.compressors[level]?.popLast() }
        guard let compressor = kept ?? libdeflate_alloc_compressor(level) else { preconditionFailure("out of memory") }
        defer { self.keep(compressor, level) }
        let (bound, compress) =
            switch container {
            case .zlib: (libdeflate_zlib_compress_bound(compressor, bytes.count), libdeflate_zlib_compress)
            case .gzip: (libdeflate_gzip_compress_bound(compressor, bytes.count), libdeflate_gzip_compress)
            case .raw: (libdeflate_deflate_compress_bound(compressor, bytes.count), libdeflate_deflate_compress)
            }
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = compress(compressor, bytes, bytes.count, buffer.baseAddress, bound)
        }
    }

    private static func keep(_ compressor: OpaquePointer, _ level: Int32) {
        let isKept = self.idle.withLock { idle in
            guard idle.compressors[level, default: []].count < self.maximumIdle else { return false }
            idle.compressors[level, default: []].append(compressor)
            return true
        }
        if !isKept { libdeflate_free_compressor(compressor) }
    }
}
