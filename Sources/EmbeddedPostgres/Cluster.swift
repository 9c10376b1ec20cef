import Foundation

/// The files of one PostgreSQL cluster.
struct Cluster: Sendable {
    /// The only role. It has no password: the permissions of the socket's folder restrict access.
    static let superuser = "venue"

    let path: String

    /// The major version that created the files; nil when there is no cluster.
    func version() throws(EmbeddedPostgresError) -> Int? {
        var status = stat()
        guard lstat(self.path, &status) == 0 else { return nil }
        let text = try? String(contentsOfFile: self.path + "/PG_VERSION", encoding: .utf8)
        let number = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        guard let number else { throw .notACluster(folder: self.path) }
        return number
    }

    /// Creates the cluster under a temporary name and renames it when it is complete, so that an `initdb` that is killed
    /// leaves nothing that looks like a cluster.
    func create(with programs: Programs, as account: Account, durably: Bool) async throws {
        let unfinished = try self.createTemporaryFolder(for: account)
        do {
            var arguments = [
                "--pgdata=\(unfinished)", "--username=\(Self.superuser)", "--auth-local=trust", "--auth-host=reject",
                "--encoding=UTF8", "--locale=C", "--data-checksums",
            ]
            if !durably { arguments.append("--no-sync") }
            try await Command(program: programs.initdb, arguments: arguments, account: account).check()
            guard rename(unfinished, self.path) == 0 else {
                throw EmbeddedPostgresError.cannotWrite(path: self.path, reason: .lastError)
            }
            if durably { Self.synchronize(self.parent) }
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
    }

    /// Removes clusters that were never completed. An orphaned `initdb` may still be running: the folder is renamed, so
    /// that `initdb` fails, and its server, which keeps the folder as its working folder, is stopped.
    func removeUnfinished() async throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: self.parent)) ?? []
        where name.hasPrefix("\(self.name).new-") {
            let suffix = "-removed"
            let renamed = "\(self.parent)/\(name)\(name.hasSuffix(suffix) ? "" : suffix)"
            rename("\(self.parent)/\(name)", renamed)
            try await LeftoverServer(cluster: Cluster(path: renamed)).killAll()
            try? FileManager.default.removeItem(atPath: renamed)
        }
    }

    private func createTemporaryFolder(for account: Account) throws(EmbeddedPostgresError) -> String {
        var template = Array("\(self.path).new-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .cannotWrite(path: self.path, reason: .lastError) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard !account.isOther || chown(path, account.userID, account.groupID) == 0 else {
            throw .cannotWrite(path: path, reason: .lastError)
        }
        return path
    }

    private var parent: String { String(self.path[..<(self.path.lastIndex(of: "/") ?? self.path.startIndex)]) }
    private var name: String { String(self.path.split(separator: "/").last ?? "") }

    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// `postmaster.pid`: the state of a running server; a killed server leaves the file behind.
struct PostmasterFile: Sendable {
    let processID: pid_t?
    /// True once connections are accepted.
    let isReady: Bool

    /// Nil when there is no such file.
    init?(in cluster: Cluster) {
        guard let text = try? String(contentsOfFile: Self.path(in: cluster), encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.processID = lines.first.flatMap { pid_t($0) }
        self.isReady = lines.count > 7 && lines[7].trimmingCharacters(in: .whitespaces) == "ready"
    }

    static func path(in cluster: Cluster) -> String { cluster.path + "/postmaster.pid" }
}
