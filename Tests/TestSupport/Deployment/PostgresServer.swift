import EmbeddedPostgres
package import Foundation
package import Postgres
import Subprocess
import SystemPackage

/// A PostgreSQL of a test's own, to be killed, copied or held back: at one address through all its lives.
package actor PostgresServer {
    /// Goes through a link that leads to the socket of the server's present life.
    package nonisolated let url: String
    private let folder: URL
    private let settings: [String: String]
    private var running: EmbeddedPostgres?

    /// For tests that do not ask what a power failure leaves.
    package static let hasty = ["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]

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

    /// Starts the server, whatever became of it before, and lets the address lead to it.
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

    /// A copy of this server that follows it, in hot standby; not started yet.
    package func standby(in folder: URL) async throws -> PostgresServer {
        guard let running else { throw CocoaError(.fileNoSuchFile) }
        let standby = try PostgresServer(in: folder, settings: self.settings)
        let target = await standby.cluster
        // The program that belongs to the server's very version.
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
        // PostgreSQL runs as whoever its files belong to.
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

    /// Runs SQL in a connection of its own.
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

    /// Lets the copy fall behind: what arrives is kept and not shown.
    package nonisolated func pauseReplay() async throws { try await self.execute("SELECT pg_wal_replay_pause()") }

    package nonisolated func resumeReplay() async throws { try await self.execute("SELECT pg_wal_replay_resume()") }

    /// Makes the copy a server of its own, with a history that forks here.
    package nonisolated func promote() async throws { try await self.execute("SELECT pg_promote()") }
}
