/// Compresses what comes piece by piece, of any length, in memory that does not grow with it.
///
/// The memory of the library (a few hundred kilobytes to a few megabytes) is given back by ``finish()``, or with the compressor.
package final class Compressor {
    private var encoder: (any ContentEncoder)?
    private let room: UnsafeMutableRawBufferPointer

    /// - Parameter size: how many bytes will come, when that is known: a short text then takes less memory. The output may
    ///   depend on it, and on where the pieces are cut, but always unpacks to the same.
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
        self.room = .allocate(byteCount: min(max(size ?? Self.step, 64), Self.step), alignment: 16)
    }

    deinit {
        self.room.deallocate()
    }

    /// What is to be sent now that these bytes came; often nothing yet.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        try self.run(bytes, .process)
    }

    /// Everything that came so far, so that the receiver can unpack it now. Costs a few bytes each time.
    package func flush() throws(CompressionError) -> [UInt8] {
        try self.run([], .flush)
    }

    /// The rest. Nothing may come after it.
    ///
    /// - Parameter last: the last bytes. When all come here, the libraries know from the start how long the text is.
    package func finish(_ last: [UInt8] = []) throws(CompressionError) -> [UInt8] {
        defer { self.encoder = nil }
        return try self.run(last, .finish)
    }

    private static let step = 1 << 15

    private func run(_ bytes: [UInt8], _ operation: EncoderOperation) throws(CompressionError) -> [UInt8] {
        guard let encoder else { preconditionFailure("nothing comes after finish()") }
        var output: [UInt8] = []
        // The error goes round the closure, which would forget its type.
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, CompressionError> in
            var input = bytes[...]
            do throws(CompressionError) {
                var step: EncoderStep
                repeat {
                    step = try encoder.encode(UnsafeRawBufferPointer(rebasing: input), operation, into: self.room)
                    input = input.dropFirst(step.read)
                    output.append(contentsOf: self.room[..<step.written])
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

/// What the encoder is to do besides reading.
enum EncoderOperation {
    case process
    case flush
    case finish
}

struct EncoderStep {
    var read: Int
    var written: Int
    /// All input is read, and what the operation asks for is written.
    var isDone: Bool
}

/// One of the libraries.
protocol ContentEncoder: AnyObject {
    /// Reads what it can and fills `output` as far as it can. Called again with what is left until it is done.
    func encode(
        _ input: UnsafeRawBufferPointer, _ operation: EncoderOperation, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> EncoderStep
}

/// The window, as a power of two: what repeats from further back than that is written out again. A megabyte holds far more than
/// the neighbours of a feature, and both ends keep as much in memory.
let windowBits = 20
