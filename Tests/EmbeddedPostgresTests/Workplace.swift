import EmbeddedPostgres
import Foundation
import Subprocess
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A temporary folder for one test that the server's user can enter.
struct Workplace {
    let path: String
    var data: String { self.path + "/data" }
    var cluster: String { self.data + "/postgresql" }
    var pidFile: String { self.cluster + "/postmaster.pid" }

    static let settings = ["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]

    static func with<Result>(_ body: (Workplace) async throws -> Result) async throws -> Result {
        let folders = FileManager.default.temporaryDirectory
        var template = Array(folders.appending(path: "embedded-XXXXXX").path.utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try #require(chmod(path, 0o755) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(Workplace(path: path))
    }

    /// Like `with`, with a cluster in the folder, which is copied because that is faster than `initdb`.
    static func withCluster<Result>(_ body: (Workplace) async throws -> Result) async throws -> Result {
        let template = try await Template.shared.value
        return try await Self.with { place in
            let copy = try await run(
                .name("cp"), arguments: ["-a", template.data, place.data], output: .string(limit: 1 << 16),
                error: .combinedWithOutput)
            try #require(copy.terminationStatus.isSuccess, "\(copy.standardOutput)")
            return try await body(place)
        }
    }

    func start() async throws -> EmbeddedPostgres {
        try await EmbeddedPostgres.start(in: self.data, settings: Self.settings)
    }

    /// Runs `body` with a server that is stopped in any case.
    func withServer<Result>(_ body: (EmbeddedPostgres) async throws -> Result) async throws -> Result {
        let server = try await self.start()
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// A program that runs as the owner of the cluster.
    func asOwner(_ program: String, _ arguments: [String]) throws -> Configuration {
        let owner = try self.owner
        let change = ["--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups", program]
        let isOther = owner.user != geteuid()
        return Configuration(
            executable: isOther ? .name("setpriv") : .path(FilePath(program)),
            arguments: Arguments(isOther ? change + arguments : arguments), workingDirectory: "/")
    }

    func giveToOwner(_ path: String) throws {
        let owner = try self.owner
        try #require(chown(path, owner.user, owner.group) == 0)
    }

    private var owner: (user: uid_t, group: gid_t) {
        get throws {
            var status = stat()
            try #require(stat(self.cluster, &status) == 0)
            return (status.st_uid, status.st_gid)
        }
    }

    /// Runs a statement on a server that is started for it.
    func query(_ statement: String) async throws -> String {
        try await self.withServer { try await $0.ask(statement) }
    }
}

/// A stopped cluster that is created on first use and removed when the process exits.
private enum Template {
    static let path = FileManager.default.temporaryDirectory.appending(path: "embedded-\(getpid())").path

    static let shared = Task {
        atexit { try? FileManager.default.removeItem(atPath: Template.path) }
        try FileManager.default.createDirectory(atPath: Self.path, withIntermediateDirectories: false)
        let template = Workplace(path: Self.path)
        try await template.withServer { _ in }
        return template
    }
}

/// The message of `psql` when it fails.
struct StatementError: Error {
    let message: String
}

extension EmbeddedPostgres {
    /// The output of `psql`, run as the user who runs the tests.
    nonisolated func ask(_ statement: String) async throws -> String {
        let result = try await run(
            .name("psql"), arguments: ["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-c", statement, self.databaseURL],
            output: .string(limit: 1 << 16), error: .combinedWithOutput)
        guard result.terminationStatus.isSuccess else { throw StatementError(message: result.standardOutput) }
        return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    nonisolated var socketFolder: String {
        get throws {
            let items = try #require(URLComponents(string: self.databaseURL)?.queryItems)
            return try #require(items.first { $0.name == "host" }?.value)
        }
    }
}

/// Whether a process exists and is no zombie.
func isAlive(_ process: Int) -> Bool {
    guard kill(pid_t(process), 0) == 0 || errno == EPERM else { return false }
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status.map { !$0.contains(") Z ") } ?? true
}

/// Waits for a condition that another process fulfils; the time limit of the suite is the bound.
func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(10)) }
}

func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}
