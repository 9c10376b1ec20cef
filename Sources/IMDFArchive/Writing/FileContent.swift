internal import CLibzip

/// The content of a file as a source for libzip, which reads it in blocks.
final class FileContent {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
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
            let count = min(Int(clamping: length), self.bytes.count - self.offset)
            self.bytes.withUnsafeBytes { bytes in
                guard let data, let start = bytes.baseAddress else { return }
                data.copyMemory(from: start + self.offset, byteCount: count)
            }
            self.offset += count
            return Int64(count)
        case ZIP_SOURCE_CLOSE: return 0
        case ZIP_SOURCE_STAT:
            guard let status = data?.assumingMemoryBound(to: zip_stat_t.self) else { return -1 }
            zip_stat_init(status)
            status.pointee.size = UInt64(self.bytes.count)
            status.pointee.valid |= UInt64(ZIP_STAT_SIZE)
            return Int64(MemoryLayout<zip_stat_t>.size)
        // There are no errors to report.
        case ZIP_SOURCE_ERROR:
            data?.initializeMemory(as: Int32.self, repeating: 0, count: 2)
            return Int64(2 * MemoryLayout<Int32>.size)
        case ZIP_SOURCE_SUPPORTS:
            let commands = [
                ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
            ]
            return commands.reduce(0) { $0 | 1 << Int64($1.rawValue) }
        default: return -1
        }
    }
}
