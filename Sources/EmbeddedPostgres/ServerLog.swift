import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// What the server says, in a file that does not grow for ever.
struct ServerLog: Sendable {
    private static let longest = 4 << 20

    let descriptor: FileDescriptor
    private let path: String
    /// Where the server that is being started begins to speak.
    private let start: Int64

    /// Opens the log at its end. A long one is put aside first, in place of the one put aside before.
    init(at path: String) throws(EmbeddedPostgresError) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size > Self.longest { rename(path, path + ".old") }
        let raw = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard raw >= 0 else { throw .cannotWrite(path: path, reason: .lastError) }
        self.descriptor = FileDescriptor(rawValue: raw)
        self.path = path
        self.start = (try? self.descriptor.seek(offset: 0, from: .end)) ?? 0
    }

    func close() {
        try? self.descriptor.close()
    }

    /// The last lines since `start`.
    func tail(_ count: Int) -> String {
        guard let file = FileHandle(forReadingAtPath: self.path) else { return "" }
        try? file.seek(toOffset: UInt64(self.start))
        let bytes = (try? file.readToEnd()) ?? nil
        return String(decoding: bytes ?? .init(), as: UTF8.self).lastLines(count)
    }
}
