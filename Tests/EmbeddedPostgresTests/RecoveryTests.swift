import EmbeddedPostgres
import Foundation
import Subprocess
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

@Suite(.timeLimit(.minutes(30)))
struct `Recovery of the embedded PostgreSQL` {
    @Test func `recovery: a killed server recovers what was committed`() async throws {
        try await Workplace.withCluster { place in
            // Only acknowledged synchronous commits are guaranteed to survive.
            let server = try await EmbeddedPostgres.start(in: place.data, settings: ["fsync": "off"])
            _ = try await server.ask("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
            kill(pid_t(server.processID), SIGKILL)
            await server.waitUntilExit()
            #expect(server.hasExited)
            await server.stop()
            let result = try await place.query("SELECT sum(n) FROM kept")
            #expect(result == "500500")
        }
    }

    @Test func `recovery: a session that outlives its killed server does not prevent the next start`() async throws {
        try await Workplace.withCluster { place in
            let server = try await place.start()
            // Opening a pipe without a writer waits in the kernel, where a session notices neither the end of its server nor a termination.
            let pipe = place.path + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            try place.giveToOwner(pipe)
            let session = Task { try await server.ask("SELECT pg_read_file('\(pipe)')") }
            let find = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_read_file%' AND pid <> pg_backend_pid()"
            var backend: Int?
            while backend == nil { backend = Int(try await server.ask(find)) }
            kill(pid_t(server.processID), SIGKILL)
            await server.stop()
            #expect(isAlive(try #require(backend)))

            let result = try await place.query("SELECT 1")
            #expect(result == "1")
            #expect(!isAlive(try #require(backend)))
            await #expect(throws: StatementError.self) { try await session.value }
        }
    }

    @Test func `guard: a server stops by itself when its owner is killed`() async throws {
        try await Workplace.withCluster { place in
            await Self.startAndDie(in: place.data)
            let server = try #require(Int(try String(contentsOfFile: place.path + "/server", encoding: .utf8)))
            try await waitUntil { !isAlive(server) }
            try await waitUntil { !exists(place.pidFile) }
            try await Self.checkRows(in: place)
        }
    }

    @Test func `recovery: a start right after the owner was killed takes over`() async throws {
        try await Workplace.withCluster { place in
            await Self.startAndDie(in: place.data)
            try await Self.checkRows(in: place)
            let old = try #require(Int(try String(contentsOfFile: place.path + "/server", encoding: .utf8)))
            #expect(!isAlive(old))
        }
    }

    @Test func `recovery: a server left behind without a guard is stopped and replaced`() async throws {
        try await Workplace.withCluster { place in
            let programs = try await place.withServer { server in
                _ = try await server.ask("CREATE TABLE kept AS SELECT 7 AS n")
                return try await server.ask("SELECT setting FROM pg_config WHERE name = 'BINDIR'")
            }
            try #require(!exists(place.pidFile), "The first server was killed instead of stopped.")
            let leftover = try place.asOwner(
                programs + "/postgres",
                ["-D", place.cluster, "-c", "listen_addresses=", "-c", "unix_socket_directories=\(place.cluster)"])
            let log = try FileDescriptor.open(
                FilePath(place.path + "/leftover.log"), .writeOnly, options: .create, permissions: .ownerReadWrite)
            let output = FileDescriptorOutput.fileDescriptor(log, closeAfterSpawningProcess: true)
            _ = try await run(leftover, input: .none, output: output, error: .combinedWithOutput) { leftover in
                let isReady = {
                    let file = try? String(contentsOfFile: place.pidFile, encoding: .utf8)
                    return file?.contains("ready") == true
                }
                try await waitUntil { isReady() || !isAlive(Int(leftover.processIdentifier.value)) }
                let output = try String(contentsOfFile: place.path + "/leftover.log", encoding: .utf8)
                try #require(isReady(), "\(output)")
                try await place.withServer { server in
                    #expect(server.processID != Int(leftover.processIdentifier.value))
                    let kept = try await server.ask("SELECT n FROM kept")
                    #expect(kept == "7")
                }
            }
        }
    }

    @Test func `recovery: a stale pid file that names another process is removed, and that process is left alone`()
        async throws
    {
        try await Workplace.withCluster { place in
            // The process belongs to the server's user, so PostgreSQL itself would trust the file.
            let other = try place.asOwner("/bin/sleep", ["600"])
            _ = try await run(other, input: .none, output: .discarded, error: .discarded) { other in
                let file =
                    "\(other.processIdentifier.value)\n\(place.cluster)\n1700000000\n5432\n/tmp\n\n  1 1\nready   \n"
                try Data(file.utf8).write(to: URL(fileURLWithPath: place.pidFile))
                try place.giveToOwner(place.pidFile)
                let result = try await place.query("SELECT 1")
                #expect(result == "1")
                #expect(isAlive(Int(other.processIdentifier.value)))
                try other.send(signal: .kill)
            }
        }
    }

    @Test func `recovery: a truncated pid file is removed`() async throws {
        try await Workplace.withCluster { place in
            try Data().write(to: URL(fileURLWithPath: place.pidFile))
            let result = try await place.query("SELECT 1")
            #expect(result == "1")
        }
    }

    @Test func `recovery: an incomplete cluster is created again`() async throws {
        try await Workplace.with { place in
            await #expect(processExitsWith: .signal(SIGKILL)) { [data = place.data as String] in
                let start = Task { try await EmbeddedPostgres.start(in: data, settings: Workplace.settings) }
                let isIncomplete = {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: data)) ?? []
                    return names.contains { $0.hasPrefix("postgresql.new-") && exists("\(data)/\($0)/base/1") }
                }
                try await waitUntil(isIncomplete)
                kill(getpid(), SIGKILL)
                _ = try await start.value
            }
            #expect(!exists(place.cluster))
            let result = try await place.query("SELECT 1")
            #expect(result == "1")
            #expect(exists(place.cluster))
            let names = try FileManager.default.contentsOfDirectory(atPath: place.data)
            #expect(!names.contains { $0.hasPrefix("postgresql.new-") })
        }
    }

    /// In a separate process: starts a server, creates a table, and is killed.
    private static func startAndDie(in data: String) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [data = data as String] in
            let server = try await EmbeddedPostgres.start(in: data, settings: Workplace.settings)
            _ = try await server.ask("CREATE TABLE kept AS SELECT 7 AS n")
            try Data("\(server.processID)".utf8).write(to: URL(fileURLWithPath: data + "/../server"))
            kill(getpid(), SIGKILL)
        }
    }

    private static func checkRows(in place: Workplace) async throws {
        try await place.withServer { server in
            let kept = try await server.ask("SELECT n FROM kept")
            #expect(kept == "7")
        }
    }
}
