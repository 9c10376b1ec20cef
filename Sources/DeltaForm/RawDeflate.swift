internal import CZlib

/// Raw DEFLATE (RFC 1951) with a preset dictionary.
enum RawDeflate {
    /// Compresses a text. The output is deterministic.
    ///
    /// - Parameter level: Of zlib.
    static func compressed(_ text: [UInt8], dictionary: [UInt8] = [], level: Int32 = 9) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        var status = deflateInit2_(
            stream, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib has no memory")
        defer { deflateEnd(stream) }
        if !dictionary.isEmpty {
            status = deflateSetDictionary(stream, dictionary, UInt32(dictionary.count))
            precondition(status == Z_OK, "zlib refuses a dictionary")
        }
        let bound = Int(deflateBound(stream, UInt(text.count)))
        return text.withUnsafeBufferPointer { text in
            [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: text.baseAddress)
                stream.pointee.avail_in = UInt32(text.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(bound)
                let status = deflate(stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "the bound is sufficient for the whole text")
                count = bound - Int(stream.pointee.avail_out)
            }
        }
    }

    private static let step = 64 << 10

    /// Decompresses a complete stream.
    ///
    /// - Parameter limit: The maximum number of bytes; decompression ends as soon as it is exceeded.
    static func decompressed(
        _ bytes: [UInt8], dictionary: [UInt8] = [], limit: Int
    ) throws(DeltaError) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DeltaError("zlib has no memory")
        }
        defer { inflateEnd(stream) }
        if !dictionary.isEmpty {
            guard inflateSetDictionary(stream, dictionary, UInt32(dictionary.count)) == Z_OK else {
                throw DeltaError("zlib refuses a dictionary")
            }
        }
        var text: [UInt8] = []
        // A result, because `withUnsafeBufferPointer` does not keep the type of a thrown error.
        let result = bytes.withUnsafeBufferPointer { input -> Result<Void, DeltaError> in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            var buffer = [UInt8](repeating: 0, count: min(Self.step, limit + 1))
            while true {
                let (status, written) = buffer.withUnsafeMutableBufferPointer { buffer -> (Int32, Int) in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    return (inflate(stream, Z_NO_FLUSH), buffer.count - Int(stream.pointee.avail_out))
                }
                guard text.count + written <= limit else { return .failure(DeltaError("a text that is too large")) }
                text += buffer[..<written]
                if status == Z_STREAM_END { break }
                guard status == Z_OK, written > 0 || stream.pointee.avail_in > 0 else {
                    return .failure(DeltaError("a stream that is damaged or truncated"))
                }
            }
            guard stream.pointee.avail_in == 0 else { return .failure(DeltaError("bytes after the end of a stream")) }
            return .success(())
        }
        try result.get()
        return text
    }
}
