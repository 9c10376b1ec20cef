#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A temporary file without a name: it disappears with the process, even when that is killed.
package final class TemporaryFile: @unchecked Sendable {  // written by one task at a time, and not while it is read
    /// The file could not be made or written.
    package struct Unwritable: Error, Hashable, CustomStringConvertible {
        let code: Int32

        package init(code: Int32) {
            self.code = code
        }

        package var isDiskFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(self.code) }

        /// A file that is shorter than it was written.
        static var truncated: Unwritable { Unwritable(code: EIO) }

        package var description: String {
            "a temporary file in \(TemporaryFile.folder) cannot be used: \(String(cString: strerror(self.code)))"
        }
    }

    private static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    package let descriptor: Int32
    /// The length in bytes.
    package private(set) var count = 0

    package init() throws {
        var template = Array("\(Self.folder)/venue-archive-XXXXXX".utf8CString)
        self.descriptor = mkstemp(&template)
        guard self.descriptor >= 0 else { throw Unwritable(code: errno) }
        unlink(template)
    }

    /// A file that is open already, and is closed with this object.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
    }

    package func append(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try self.write($0, at: self.count) }
    }

    /// Writes bytes at an offset, over those that are there.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Unwritable) {
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                self.descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                off_t(offset + written))
            if count < 0 {
                guard errno == EINTR else { throw Unwritable(code: errno) }
            } else {
                written += count
            }
        }
        self.count = max(self.count, offset + written)
    }

    /// Reads so many bytes from an offset, fewer at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Unwritable) -> Int {
        while true {
            let count = pread(self.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw Unwritable(code: errno) }
        }
    }

    /// The bytes from an offset before the end on, at most so many.
    package func bytes(from offset: Int, limit: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: min(limit, self.count - offset)) { buffer, count in
            count = try self.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            if count == 0 { throw Unwritable.truncated }
        }
    }
}
