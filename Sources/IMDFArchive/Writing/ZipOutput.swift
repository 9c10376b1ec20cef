internal import CLibzip

/// A temporary file as what libzip writes an archive to. It is written from its beginning to its end, except that the head of a file is
/// written once more when its checksum is known.
final class ZipOutput {
    private let file: TemporaryFile
    private var readOffset = 0
    private var writeOffset = 0
    /// Why the archive could not be written.
    private(set) var failure: TemporaryFile.Unwritable?

    init(_ file: TemporaryFile) {
        self.file = file
    }

    /// A source that this object must outlive; nil if there is no memory.
    func source(_ error: UnsafeMutablePointer<zip_error_t>) -> OpaquePointer? {
        zip_source_function_create(
            { this, data, length, command in
                guard let this else { return -1 }
                return Unmanaged<ZipOutput>.fromOpaque(this).takeUnretainedValue().handle(command, data, length)
            }, Unmanaged.passUnretained(self).toOpaque(), error)
    }

    private static var commands: [zip_source_cmd_t] {
        [
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
            ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
            ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE,
            ZIP_SOURCE_REMOVE,
        ]
    }

    private func handle(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        switch command {
        case ZIP_SOURCE_SUPPORTS: return Self.commands.reduce(0) { $0 | 1 << Int64($1.rawValue) }
        case ZIP_SOURCE_STAT:
            guard let status = data?.assumingMemoryBound(to: zip_stat_t.self) else { return -1 }
            zip_stat_init(status)
            status.pointee.size = UInt64(self.file.count)
            status.pointee.valid |= UInt64(ZIP_STAT_SIZE)
            return Int64(MemoryLayout<zip_stat_t>.size)
        case ZIP_SOURCE_ERROR: return ZipSourceError.report(self.failure, ZIP_ER_WRITE, to: data)
        case ZIP_SOURCE_OPEN:
            self.readOffset = 0
            return 0
        case ZIP_SOURCE_READ:
            return self.attempt { () throws(TemporaryFile.Unwritable) -> Int in
                let buffer = UnsafeMutableRawBufferPointer(start: data, count: Int(clamping: length))
                let count = try self.file.read(into: buffer, at: self.readOffset)
                self.readOffset += count
                return count
            }
        case ZIP_SOURCE_WRITE:
            return self.attempt { () throws(TemporaryFile.Unwritable) -> Int in
                let bytes = UnsafeRawBufferPointer(start: data, count: Int(clamping: length))
                try self.file.write(bytes, at: self.writeOffset)
                self.writeOffset += bytes.count
                return bytes.count
            }
        case ZIP_SOURCE_SEEK: return self.seek(&self.readOffset, data, length)
        case ZIP_SOURCE_SEEK_WRITE: return self.seek(&self.writeOffset, data, length)
        case ZIP_SOURCE_TELL: return Int64(self.readOffset)
        case ZIP_SOURCE_TELL_WRITE: return Int64(self.writeOffset)
        case ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_CLOSE,
            ZIP_SOURCE_REMOVE, ZIP_SOURCE_FREE:
            return 0
        default: return -1
        }
    }

    private func attempt(_ work: () throws(TemporaryFile.Unwritable) -> Int) -> Int64 {
        do throws(TemporaryFile.Unwritable) {
            return Int64(try work())
        } catch {
            self.failure = error
            return -1
        }
    }

    private func seek(_ offset: inout Int, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data else { return -1 }
        let result = zip_source_seek_compute_offset(UInt64(offset), UInt64(self.file.count), data, length, nil)
        guard result >= 0 else { return -1 }
        offset = Int(result)
        return 0
    }
}
