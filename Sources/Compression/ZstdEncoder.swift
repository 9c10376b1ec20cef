internal import CZstd

/// Zstandard (RFC 8878) with a window that every HTTP client supports (RFC 9659: at most 8 MiB).
final class ZstdEncoder: ContentEncoder {
    private let context: OpaquePointer

    init(_ effort: Effort) throws(CompressionError) {
        guard let context = ZSTD_createCCtx() else { throw .outOfMemory }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, effort.zstdLevel)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, Int32(windowBits))
    }

    deinit {
        ZSTD_freeCCtx(self.context)
    }

    func encode(
        _ input: UnsafeRawBufferPointer, _ operation: EncoderOperation, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> EncoderStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var sink = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let directive =
            switch operation {
            case .process: ZSTD_e_continue
            case .flush: ZSTD_e_flush
            case .finish: ZSTD_e_end
            }
        let left = ZSTD_compressStream2(self.context, &sink, &source, directive)
        guard ZSTD_isError(left) == 0 else { throw .outOfMemory }
        let isRead = source.pos == source.size
        return EncoderStep(
            read: source.pos, written: sink.pos, isDone: operation == .process ? isRead : isRead && left == 0)
    }
}
