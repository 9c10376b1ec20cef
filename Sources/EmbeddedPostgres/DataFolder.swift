import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The folder with all files of one embedded PostgreSQL, and a lock that only one process at a time can hold.
///
///     data/lock         the process that holds the lock, and the folder of its socket
///     data/postgresql   the cluster
///     data/postgresql.new-…   a cluster that is being created
///     data/postgresql.log
struct DataFolder: Sendable {
    /// Absolute and without symbolic links, to be comparable with the working folder of a process.
    let path: String
    private let lock: FileDescriptor

    var cluster: String { self.path + "/postgresql" }
    var log: String { self.path + "/postgresql.log" }

    /// The content of the lock file: for the error message of a second process, and for cleaning up after a crash.
    struct Holder: Sendable {
        var processID: Int?
        var socketFolder: String?
    }

    /// Creates the folder if it does not exist, and takes the lock.
    init(_ folder: String) throws(EmbeddedPostgresError) {
        let absolute = URL(fileURLWithPath: folder).standardizedFileURL.path
        try Self.createFolder(absolute)
        guard let resolved = realpath(absolute, nil) else { throw .cannotWrite(path: absolute, reason: .lastError) }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        self.lock = try Self.lock(self.path)
    }

    /// Takes the lock. It is held until `unlock` or until the process ends, for whatever reason.
    private static func lock(_ folder: String) throws(EmbeddedPostgresError) -> FileDescriptor {
        let path = folder + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: .lastError) }
        let lock = FileDescriptor(rawValue: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(in: lock)
            try? lock.close()
            throw .inUse(folder: folder, processID: holder.processID)
        }
        return lock
    }

    /// Releases the lock explicitly. Closing the descriptor is not enough: a child that another task is starting shares it
    /// until `exec`.
    func unlock() {
        flock(self.lock.rawValue, LOCK_UN)
        try? self.lock.close()
    }

    /// The previous holder, until `write` replaces it.
    var holder: Holder { Self.holder(in: self.lock) }

    func write(_ holder: Holder) throws(EmbeddedPostgresError) {
        let text = [holder.processID.map(String.init), holder.socketFolder].map { ($0 ?? "") + "\n" }.joined()
        do {
            try self.lock.resize(to: 0)
            try self.lock.writeAll(toAbsoluteOffset: 0, text.utf8)
        } catch {
            throw .cannotWrite(path: self.path + "/lock", reason: "\(error)")
        }
    }

    private static func holder(in lock: FileDescriptor) -> Holder {
        let text = try? withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            let count = try lock.read(fromAbsoluteOffset: 0, into: buffer)
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        let lines = (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return Holder(
            processID: lines.first.flatMap { Int($0) },
            socketFolder: lines.count > 1 && !lines[1].isEmpty ? String(lines[1]) : nil)
    }

    /// Creates the folder and its missing parents. Under root other users can traverse them, whatever the umask is; the
    /// data itself is in a private subfolder.
    private static func createFolder(_ path: String) throws(EmbeddedPostgresError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw .cannotWrite(path: path, reason: "it is not a folder")
            }
            return
        }
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if !parent.isEmpty { try Self.createFolder(parent) }
        let mode: mode_t = geteuid() == 0 ? 0o755 : 0o700
        guard mkdir(path, mode) == 0 || errno == EEXIST, chmod(path, mode) == 0 else {
            throw .cannotWrite(path: path, reason: .lastError)
        }
    }

    /// Checks as that user that each folder of the path can be traversed. Only the kernel knows: modes, groups and access
    /// lists all count.
    func checkAccess(for account: Account) async throws {
        guard account.isOther else { return }
        var folders = ["/"]
        for name in self.path.split(separator: "/") {
            folders.append((folders.last == "/" ? "" : folders.last ?? "") + "/" + name)
        }
        let script = #"for folder; do [ -x "$folder" ] || { printf %s "$folder"; exit 1; }; done"#
        let command = Command(program: "/bin/sh", arguments: ["-c", script, "sh"] + folders, account: account)
        let result = try await command.run()
        guard result.succeeded else {
            throw EmbeddedPostgresError.cannotEnter(folder: result.output, user: account.name)
        }
    }
}

extension String {
    /// The description of `errno`.
    static var lastError: String { String(cString: strerror(errno)) }
}
