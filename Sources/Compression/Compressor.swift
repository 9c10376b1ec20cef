/// Compresses a stream of any length in constant memory.
///
/// The memory of the library (a few hundred kilobytes to a few megabytes) is released by ``finish(_:)`` or with the compressor.
package final class Compressor {
    private var encoder: (any ContentEncoder)?
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameter size: The number of bytes to compress, if known: a short text then needs less memory. The compressed bytes may
    ///   depend on it and on the calls of ``append(_:)``; the decompressed bytes do not.
    package convenience init(_ coding: ContentCoding, effort: Effort, size: Int? = nil) throws(CompressionError) {
        let encoder: any ContentEncoder =
            switch coding {
            case .br: try BrotliEncoder(effort, size: size)
            case .zstd: try ZstdEncoder(effort)
            case .gzip: try GzipEncoder(effort)
            }
        self.init(encoder, size: size)
    }

    init(_ encoder: any ContentEncoder, size: Int?) {
        self.encoder = encoder
        self.buffer = .allocate(byteCount: min(max(size ?? Self.step, 64), Self.step), alignment: 16)
    }

    deinit {
        self.buffer.deallocate()
    }

    /// Compresses bytes and returns the output so far, which is often empty.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        try self.run(bytes, .process)
    }

    /// Returns the output for all bytes so far, so that the receiver can decompress them. Adds a few bytes each time.
    package func flush() throws(CompressionError) -> [UInt8] {
        try self.run([], .flush)
    }

    /// Ends the stream and returns the rest of the output.
    ///
    /// - Parameter last: The last bytes. If these are all bytes, the library knows the length of the text from the start.
    package func finish(_ last: [UInt8] = []) throws(CompressionError) -> [UInt8] {
        defer { self.encoder = nil }
        return try self.run(last, .finish)
    }

    private static let step = 1 << 15

    private func run(_ bytes: [UInt8], _ operation: EncoderOperation) throws(CompressionError) -> [UInt8] {
        guard let encoder else { preconditionFailure("the stream is finished") }
        var output: [UInt8] = []
        // A result, because `withUnsafeBytes` does not keep the type of a thrown error.
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, CompressionError> in
            var input = bytes[...]
            do throws(CompressionError) {
                var step: EncoderStep
                repeat {
                    step = try encoder.encode(UnsafeRawBufferPointer(rebasing: input), operation, into: self.buffer)
                    input = input.dropFirst(step.read)
                    output.append(contentsOf: self.buffer[..<step.written])
                } while !step.isDone
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return output
    }
}

/// What the encoder does after reading the input.
enum EncoderOperation {
    case process
    case flush
    case finish
}

struct EncoderStep {
    var read: Int
    var written: Int
    /// Whether all input is read and the operation is complete.
    var isDone: Bool
}

/// A compression library.
protocol ContentEncoder: AnyObject {
    /// Reads as much input and writes as much output as possible. It is called with the rest of the input until ``EncoderStep/isDone``.
    func encode(
        _ input: UnsafeRawBufferPointer, _ operation: EncoderOperation, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> EncoderStep
}

/// The window size as a power of two. One megabyte contains far more than the neighbors of a feature; both sides keep this much in
/// memory.
let windowBits = 20
