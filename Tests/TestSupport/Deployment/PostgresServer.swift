import EmbeddedPostgres
package import Foundation
package import Postgres
import Subprocess
import SystemPackage

/// A PostgreSQL server of one test that can be killed, copied and paused, with one address for all its restarts.
package actor PostgresServer {
    /// Uses a symbolic link to the socket folder of the running server.
    package nonisolated let url: String
    private let folder: URL
    private let settings: [String: String]
    private var running: EmbeddedPostgres?

    /// Settings for tests that need no durability.
    package static let withoutDurability = ["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]

    package init(in folder: URL, settings: [String: String] = [:]) throws {
        self.folder = folder
        self.settings = settings
        self.url = "postgresql:///venuesync?host=\(folder.path)/socket&port=5432&user=venue"
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    package nonisolated var configuration: ConnectionConfiguration { ConnectionConfiguration(url: self.url) }

    private var cluster: String { self.folder.appending(path: "data/postgresql").path }
    private var link: String { self.folder.appending(path: "socket").path }

    /// Starts the server after any kind of end, and points the address to it.
    package func start() async throws {
        let server = try await EmbeddedPostgres.start(
            in: self.folder.appending(path: "data").path, settings: self.settings, database: "venuesync")
        self.running = server
        let host = server.databaseURL.firstMatch(of: /host=([^&]*)/)?.output.1.removingPercentEncoding ?? ""
        try FileManager.default.createSymbolicLink(atPath: self.link + ".new", withDestinationPath: host)
        guard rename(self.link + ".new", self.link) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Kills the postmaster. Sessions notice and end by themselves.
    package func kill() async {
        guard let running else { return }
        Foundation.kill(pid_t(running.processID), SIGKILL)
        await running.stop()
        self.running = nil
    }

    package func stop() async {
        await self.running?.stop()
        self.running = nil
    }

    /// A streaming replica of this server, which is not started yet.
    package func standby(in folder: URL) async throws -> PostgresServer {
        guard let running else { throw CocoaError(.fileNoSuchFile) }
        let standby = try PostgresServer(in: folder, settings: self.settings)
        let target = await standby.cluster
        // The program of the same version as the server.
        let postgres = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(running.processID)/exe")
        let copy = URL(filePath: postgres).deletingLastPathComponent().appending(path: "pg_basebackup").path
        try FileManager.default.createDirectory(
            atPath: target.replacing("/postgresql", with: ""), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try await Self.run(
            copy,
            [
                "--pgdata=\(target)", "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync",
                "--dbname=host=\(self.link) port=5432 user=venue",
            ])
        // PostgreSQL runs as the owner of its files.
        if geteuid() == 0 { try await Self.run("/bin/chown", ["-R", "--reference=\(self.cluster)", target]) }
        return standby
    }

    private struct Failed: Error {
        let program: String
        let output: String
    }

    private static func run(_ program: String, _ arguments: [String]) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
            error: .combinedWithOutput)
        guard result.terminationStatus.isSuccess else { throw Failed(program: program, output: result.standardOutput) }
    }

    /// Runs SQL on a new connection.
    package nonisolated func execute(_ sql: String) async throws {
        let connection = try await Connection.open(self.configuration)
        do {
            try await connection.execute(sql)
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Lets the replica lag: it receives changes and does not apply them.
    package nonisolated func pauseReplay() async throws { try await self.execute("SELECT pg_wal_replay_pause()") }

    package nonisolated func resumeReplay() async throws { try await self.execute("SELECT pg_wal_replay_resume()") }

    /// Promotes the replica to a primary with its own timeline.
    package nonisolated func promote() async throws { try await self.execute("SELECT pg_promote()") }
}
