internal import CLibzip

/// The content of a file as a source for libzip, which reads it in blocks.
final class FileContent {
    private let content: ArchiveWriter.Content
    private var offset = 0
    /// Why the last block could not be read.
    private var failure: TemporaryFile.Unwritable?

    init(_ content: ArchiveWriter.Content) {
        self.content = content
    }

    /// A source that keeps this object alive until libzip frees it; nil if there is no memory.
    func source(for archive: OpaquePointer) -> OpaquePointer? {
        let this = Unmanaged.passRetained(self)
        let source = zip_source_function(archive, { FileContent.handle($0, $1, $2, $3) }, this.toOpaque())
        if source == nil { this.release() }
        return source
    }

    private static func handle(
        _ this: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?, _ length: UInt64,
        _ command: zip_source_cmd_t
    ) -> Int64 {
        guard let this else { return -1 }
        let content = Unmanaged<FileContent>.fromOpaque(this)
        if command == ZIP_SOURCE_FREE {
            content.release()
            return 0
        }
        return content.takeUnretainedValue().handle(command, data, length)
    }

    private func handle(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        switch command {
        case ZIP_SOURCE_OPEN:
            self.offset = 0
            return 0
        case ZIP_SOURCE_READ:
            guard let count = self.read(UnsafeMutableRawBufferPointer(start: data, count: Int(clamping: length))) else {
                return -1
            }
            self.offset += count
            return Int64(count)
        case ZIP_SOURCE_CLOSE: return 0
        case ZIP_SOURCE_STAT:
            guard let status = data?.assumingMemoryBound(to: zip_stat_t.self) else { return -1 }
            zip_stat_init(status)
            status.pointee.size = UInt64(self.content.count)
            status.pointee.valid |= UInt64(ZIP_STAT_SIZE)
            return Int64(MemoryLayout<zip_stat_t>.size)
        case ZIP_SOURCE_ERROR: return ZipSourceError.report(self.failure, ZIP_ER_READ, to: data)
        case ZIP_SOURCE_SUPPORTS:
            let commands = [
                ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
            ]
            return commands.reduce(0) { $0 | 1 << Int64($1.rawValue) }
        default: return -1
        }
    }

    /// The number of bytes that were read; nil if they cannot be.
    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let block = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(self.content.count - self.offset))
        switch self.content {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                block.copyMemory(from: .init(rebasing: $0[self.offset..<self.offset + block.count]))
            }
            return block.count
        case .part(let file, let range):
            do throws(TemporaryFile.Unwritable) {
                let count = try file.read(into: block, at: range.lowerBound + self.offset)
                if count == 0, !block.isEmpty { throw TemporaryFile.Unwritable.truncated }
                return count
            } catch {
                self.failure = error
                return nil
            }
        }
    }
}

/// How a source of libzip reports an error.
enum ZipSourceError {
    static func report(
        _ failure: TemporaryFile.Unwritable?, _ code: Int32, to data: UnsafeMutableRawPointer?
    ) -> Int64 {
        let numbers = data?.bindMemory(to: Int32.self, capacity: 2)
        numbers?[0] = failure == nil ? 0 : code
        numbers?[1] = failure?.code ?? 0
        return Int64(2 * MemoryLayout<Int32>.size)
    }
}
