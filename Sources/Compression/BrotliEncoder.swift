internal import CBrotli

/// Brotli (RFC 7932).
final class BrotliEncoder: ContentEncoder {
    private let state: OpaquePointer

    /// The window of a body that is joined from chunks, as a power of two. Chunks are hardly longer than it.
    static let chunkWindowBits = 18

    /// - Parameter offset: For a chunk: its offset in the text. Only the chunk at offset 0 begins with a stream header; nil for a whole
    ///   body.
    init(_ effort: Effort, size: Int? = nil, chunkAt offset: Int? = nil) throws(CompressionError) {
        guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        self.state = state
        BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, effort.brotliQuality)
        BrotliEncoderSetParameter(state, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT.rawValue)
        BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, UInt32(offset == nil ? windowBits : Self.chunkWindowBits))
        if let offset { BrotliEncoderSetParameter(state, BROTLI_PARAM_STREAM_OFFSET, UInt32(offset)) }
        if let size { BrotliEncoderSetParameter(state, BROTLI_PARAM_SIZE_HINT, UInt32(clamping: size)) }
    }

    deinit {
        BrotliEncoderDestroyInstance(self.state)
    }

    func encode(
        _ input: UnsafeRawBufferPointer, _ operation: EncoderOperation, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> EncoderStep {
        var unread = input.count, free = output.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let operation =
            switch operation {
            case .process: BROTLI_OPERATION_PROCESS
            case .flush: BROTLI_OPERATION_FLUSH
            case .finish: BROTLI_OPERATION_FINISH
            }
        guard BrotliEncoderCompressStream(self.state, operation, &unread, &next, &free, &room, nil) != 0 else {
            throw .outOfMemory
        }
        return EncoderStep(
            read: input.count - unread, written: output.count - free,
            isDone: unread == 0 && BrotliEncoderHasMoreOutput(self.state) == 0)
    }
}
