import Foundation
import NIOCore

/// The bytes of a file, read block by block as they are sent.
struct FileBlocks: AsyncSequence, Sendable {
    private static let blockLength = 1 << 18

    private let file: URL
    private let progress: @Sendable (Int64) -> Void
    let length: Int64

    /// - Parameter progress: Is called with the number of bytes read so far.
    init(file: URL, progress: @escaping @Sendable (Int64) -> Void) throws {
        self.file = file
        self.progress = progress
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        self.length = Int64(try handle.seekToEnd())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let blocks: FileBlocks
        private var handle: FileHandle?
        private var sent: Int64 = 0

        fileprivate init(_ blocks: FileBlocks) {
            self.blocks = blocks
        }

        mutating func next() async throws -> ByteBuffer? {
            let handle = try self.handle ?? FileHandle(forReadingFrom: self.blocks.file)
            self.handle = handle
            guard let data = try handle.read(upToCount: FileBlocks.blockLength), !data.isEmpty else { return nil }
            self.sent += Int64(data.count)
            self.blocks.progress(self.sent)
            return ByteBuffer(bytes: data)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
