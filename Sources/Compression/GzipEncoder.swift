internal import CZlib

/// gzip (RFC 1952) without file name and time, or raw deflate for a chunk of a body.
final class GzipEncoder: ContentEncoder {
    // Allocated, because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ effort: Effort, isChunk: Bool = false) throws(CompressionError) {
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        // Window bits plus 16 select gzip, negative window bits raw deflate. 8 is zlib's default memory level.
        let status = deflateInit2_(
            self.stream, effort.gzipLevel, Z_DEFLATED, isChunk ? -MAX_WBITS : MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        deflateEnd(self.stream)
        self.stream.deallocate()
    }

    func encode(
        _ input: UnsafeRawBufferPointer, _ operation: EncoderOperation, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> EncoderStep {
        // zlib counts in 32 bits.
        let count = min(input.count, Int(UInt32.max))
        let isLast = count == input.count
        let start = input.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
        self.stream.pointee.next_in = start?.assumingMemoryBound(to: Bytef.self)
        self.stream.pointee.avail_in = UInt32(count)
        self.stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        self.stream.pointee.avail_out = UInt32(output.count)
        let flush =
            switch operation {
            case .process: Z_NO_FLUSH
            case .flush: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        let status = deflate(self.stream, isLast ? flush : Z_NO_FLUSH)
        // Z_BUF_ERROR only means that there was nothing to do.
        guard status != Z_STREAM_ERROR else { throw .outOfMemory }
        let unread = Int(self.stream.pointee.avail_in), free = Int(self.stream.pointee.avail_out)
        return EncoderStep(
            read: count - unread, written: output.count - free,
            isDone: operation == .finish ? status == Z_STREAM_END : isLast && unread == 0 && free > 0)
    }
}
