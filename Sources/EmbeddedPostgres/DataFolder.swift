import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The folder that holds everything of one embedded PostgreSQL, and the lock that lets one process at a time have it.
///
///     data/lock         who has it, and where its socket is
///     data/postgresql   the cluster
///     data/postgresql.new-…   a cluster in the making
///     data/postgresql.log
struct DataFolder: Sendable {
    /// Absolute and without symbolic links, because that is how processes can be told to work in it.
    let path: String
    private let lock: FileDescriptor

    var cluster: String { self.path + "/postgresql" }
    var log: String { self.path + "/postgresql.log" }

    /// What the holder of the lock wrote down: for the error of whoever comes second, and for whoever cleans up later.
    struct Holder: Sendable {
        var processID: Int?
        var socketFolder: String?
    }

    /// Makes the folder if need be and takes the lock.
    init(_ folder: String) throws(EmbeddedPostgresError) {
        let absolute = URL(fileURLWithPath: folder).standardizedFileURL.path
        try Self.makeFolder(absolute)
        guard let resolved = realpath(absolute, nil) else { throw .cannotWrite(path: absolute, reason: .lastError) }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        self.lock = try Self.lock(self.path)
    }

    /// Kept until `unlock` or the end of the process, however it ends.
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

    /// Said aloud and not left to closing: a child that another task is just starting shares the descriptor until it
    /// has become its program.
    func unlock() {
        flock(self.lock.rawValue, LOCK_UN)
        try? self.lock.close()
    }

    /// The last holder, before we write ourselves down.
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

    /// Makes the folder and what is missing above it. Under root the way stays open to the other user, whatever the
    /// umask says; the data itself lies in a folder of its own that is closed.
    private static func makeFolder(_ path: String) throws(EmbeddedPostgresError) {
        var made = stat()
        if stat(path, &made) == 0 {
            guard made.st_mode & S_IFMT == S_IFDIR else { throw .cannotWrite(path: path, reason: "it is no folder") }
            return
        }
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if !parent.isEmpty { try Self.makeFolder(parent) }
        let mode: mode_t = geteuid() == 0 ? 0o755 : 0o700
        guard mkdir(path, mode) == 0 || errno == EEXIST, chmod(path, mode) == 0 else {
            throw .cannotWrite(path: path, reason: .lastError)
        }
    }

    /// Asks the kernel, as that user, whether each folder on the way can be passed: modes, groups and access lists
    /// all count.
    func checkWay(for account: Account) async throws {
        guard account.isOther else { return }
        var folders = ["/"]
        for name in self.path.split(separator: "/") {
            folders.append((folders.last == "/" ? "" : folders.last ?? "") + "/" + name)
        }
        let script = #"for folder; do [ -x "$folder" ] || { printf %s "$folder"; exit 1; }; done"#
        let command = Command(program: "/bin/sh", arguments: ["-c", script, "sh"] + folders, account: account)
        let answer = try await command.run()
        guard answer.succeeded else {
            throw EmbeddedPostgresError.cannotEnter(folder: answer.output, user: account.name)
        }
    }
}

extension String {
    /// What `errno` says.
    static var lastError: String { String(cString: strerror(errno)) }
}
