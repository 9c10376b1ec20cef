#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The bytes of a file, mapped into memory. If the file becomes shorter while it is mapped, reading it ends the process.
final class MappedFile: @unchecked Sendable {  // nothing changes
    private let bytes: UnsafeRawBufferPointer

    /// Nil if the file is empty or cannot be mapped.
    init?(_ descriptor: Int32, size: Int) {
        guard size > 0, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        self.bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: self.bytes.baseAddress), self.bytes.count)
    }

    /// The bytes, as long as the file is kept.
    var source: ArchiveSource { .memory(self.bytes) }
}
