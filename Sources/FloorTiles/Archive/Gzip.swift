import CZlib

extension [UInt8] {
    /// The bytes as a member of a gzip file (RFC 1952) without a time, so that equal bytes give equal results.
    func gzipped() -> [UInt8] {
        var stream = z_stream()
        // The window bits of 32 KiB, and 16 for a gzip header; memory level 8 is the default.
        let version = ZLIB_VERSION
        guard
            deflateInit2_(
                &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, version, Int32(MemoryLayout<z_stream>.size))
                == Z_OK
        else { return [] }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(self.count)))
        return self.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(bound)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? bound - Int(stream.avail_out) : 0
            }
        }
    }
}
