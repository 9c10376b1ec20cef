import EmbeddedPostgres
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct `Starting and stopping the embedded PostgreSQL` {
    @Test func `new cluster is reachable through a private socket folder only`() async throws {
        try await Workplace.with { place in
            let server = try await place.start()
            let socketFolder = try server.socketFolder
            #expect(try await server.ask("SELECT current_database()") == "venuesync")
            #expect(try await server.ask("SHOW listen_addresses") == "")
            #expect(try await server.ask("SHOW fsync") == "off")
            #expect(try await server.ask("SHOW server_encoding") == "UTF8")
            var status = stat()
            #expect(stat(socketFolder, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
            #expect(!server.hasExited)

            await server.stop()
            #expect(server.hasExited)
            #expect(!isAlive(server.processID))
            #expect(!exists(socketFolder))
        }
    }

    @Test func `restart: data survives, and another database can be requested`() async throws {
        try await Workplace.withCluster { place in
            _ = try await place.query("CREATE TABLE kept AS SELECT 7 AS n")
            let kept = try await place.query("SELECT n FROM kept")
            #expect(kept == "7")
            let name = "a \"strange\" näme?&=/%"
            let other = try await EmbeddedPostgres.start(in: place.data, settings: Workplace.settings, database: name)
            #expect(try await other.ask("SELECT current_database()") == name)
            await other.stop()
        }
    }

    @Test func `data folder: a path too long for a socket address is supported`() async throws {
        try await Workplace.with { place in
            let long =
                place.path + "/" + Array(repeating: String(repeating: "x", count: 60), count: 3).joined(separator: "/")
            let server = try await EmbeddedPostgres.start(in: long, settings: Workplace.settings)
            #expect(try await server.ask("SELECT 1") == "1")
            #expect(try server.socketFolder.utf8.count < 60)
            await server.stop()
        }
    }

    @Test func `start: a second one on the same folder is refused, and the first server goes on`() async throws {
        try await Workplace.withCluster { place in
            try await place.withServer { server in
                let error = await #expect(throws: EmbeddedPostgresError.self) { try await place.start() }
                #expect(error == .inUse(folder: place.data, processID: Int(getpid())))
                let result = try await server.ask("SELECT 1")
                #expect(result == "1")
            }
            let result = try await place.query("SELECT 2")
            #expect(result == "2")
        }
    }

    @Test func `start: concurrent starts on a new folder succeed exactly once`() async throws {
        try await Workplace.with { place in
            let servers = await withTaskGroup(of: EmbeddedPostgres?.self) { group in
                for _ in 0..<4 { group.addTask { try? await place.start() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let started = servers.compactMap(\.self)
            #expect(started.count == 1)
            for server in started { await server.stop() }
        }
    }

    @Test func `stop ends busy sessions and may be requested concurrently`() async throws {
        try await Workplace.withCluster { place in
            let server = try await place.start()
            let session = Task { try await server.ask("SELECT count(*) FROM generate_series(1, 1000000000000)") }
            while try await Self.sessions(server) == 0 { try await Task.sleep(for: .milliseconds(10)) }
            async let one: Void = server.stop()
            async let two: Void = server.stop()
            _ = await (one, two)
            #expect(server.hasExited)
            await #expect(throws: StatementError.self) { try await session.value }
        }
    }

    @Test func `start that is cancelled leaves nothing running and the folder free`() async throws {
        try await Workplace.withCluster { place in
            let start = Task { try await place.start() }
            start.cancel()
            // The cancellation may come too late: then the server is stopped normally.
            if let server = try? await start.value { await server.stop() }
            let result = try await place.query("SELECT 1")
            #expect(result == "1")
        }
    }

    @Test(.requires(exists("/proc/self/environ"), "there is no /proc/self/environ"))
    func `environment: the server inherits only the variables it needs`() async throws {
        try await Workplace.withCluster { place in
            try await place.withServer { server in
                let bytes = FileManager.default.contents(atPath: "/proc/\(server.processID)/environ") ?? Data()
                let names = bytes.split(separator: 0).compactMap { $0.split(separator: UInt8(ascii: "=")).first }
                let allowed: Set = ["PATH", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "LC_ALL", "PWD"]
                #expect(!names.isEmpty)
                #expect(Set(names.map { String(decoding: $0, as: UTF8.self) }).subtracting(allowed) == [])
            }
        }
    }

    private static func sessions(_ server: EmbeddedPostgres) async throws -> Int {
        let statement =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%generate_series%' AND pid <> pg_backend_pid()"
        return try #require(Int(try await server.ask(statement)))
    }
}
