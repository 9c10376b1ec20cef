import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The log file of the server, bounded in size.
struct ServerLog: Sendable {
    /// In bytes.
    private static let maximumSize = 4 << 20

    let descriptor: FileDescriptor
    private let path: String
    /// The offset at which the output of the current server begins.
    private let start: Int64

    /// Opens the log at its end. A log beyond the maximum size is renamed first and replaces the previous renamed one.
    init(at path: String) throws(EmbeddedPostgresError) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size > Self.maximumSize { rename(path, path + ".old") }
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
