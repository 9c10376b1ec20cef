#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The bytes of an archive, in memory or in a file.
enum ArchiveSource {
    case memory(UnsafeRawBufferPointer)
    /// An open file, which is read by offset.
    case file(descriptor: Int32, size: Int)

    init(fileDescriptor: Int32) throws(ArchiveReadingError) {
        var status = stat()
        guard fstat(fileDescriptor, &status) == 0 else { throw Self.systemError() }
        self = .file(descriptor: fileDescriptor, size: Int(status.st_size))
    }

    var size: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(_, let size): size
        }
    }

    /// The bytes at an offset; nil if there are not as many.
    func bytes(at offset: Int, count: Int) throws(ArchiveReadingError) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= self.size, offset <= self.size - count else { return nil }
        switch self {
        case .memory(let bytes): return [UInt8](bytes[offset..<offset + count])
        case .file(let descriptor, _):
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let read = bytes[done...].withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
                }
                if read < 0, errno == EINTR { continue }
                guard read >= 0 else { throw Self.systemError() }
                guard read > 0 else { return nil }
                done += read
            }
            return bytes
        }
    }

    /// A stream over a duplicate of the descriptor.
    func openStream(of descriptor: Int32) throws(ArchiveReadingError) -> UnsafeMutablePointer<FILE> {
        let copy = dup(descriptor)
        guard copy >= 0 else { throw Self.systemError() }
        guard let stream = fdopen(copy, "rb") else {
            let error = Self.systemError()
            close(copy)
            throw error
        }
        return stream
    }

    static func closeStream(_ stream: UnsafeMutablePointer<FILE>) {
        fclose(stream)
    }

    private static func systemError() -> ArchiveReadingError {
        errno == ENOMEM ? .outOfMemory : .unreadable(String(cString: strerror(errno)))
    }
}
