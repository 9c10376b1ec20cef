import Foundation
import Postgres
import Testing

@Suite(.timeLimit(.minutes(10))) struct LossTests {
    @Test func `a session killed while it works is lost for good`() async throws {
        let (connection, other) = try await twoConnections()
        let process = await connection.serverProcess
        let task = Task { try await connection.query("SELECT pg_sleep(600)") }
        try await other.waitUntilActive(process)
        try await other.terminate(process)
        let error = try await postgresError { _ = try await task.value }
        #expect(error.isConnectionLost && error.isRetryable && !error.outcomeUnknown)
        #expect(error.sqlState == "57P01")
        #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.isConnectionLost)
        await connection.close()
        await connection.close()
    }

    @Test func `a session killed while it idles is noticed by the next statement`() async throws {
        let (connection, other) = try await twoConnections()
        try await other.terminate(await connection.serverProcess)
        #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.isConnectionLost)
    }

    @Test func `a connection that was closed says so`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        await connection.close()
        let error = try await postgresError { _ = try await connection.query("SELECT 1") }
        #expect(error.kind == .closed && !error.isRetryable)
        #expect(await connection.serverProcess == 0)
    }

    @Test func `a second task on a connection is refused`() async throws {
        let (connection, other) = try await twoConnections()
        let process = await connection.serverProcess
        let task = Task { try await connection.query("SELECT pg_sleep(600)") }
        try await other.waitUntilActive(process)
        #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.kind == .busy)
        #expect(try await postgresError { _ = try await connection.pipeline(["SELECT 1"]) }.kind == .busy)
        #expect(try await postgresError { try await connection.stream("SELECT 1") { _ in } }.kind == .busy)
        #expect(try await postgresError { try await connection.transaction { _ in } }.kind == .busy)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func `a connection closed while it works closes when it is done`() async throws {
        let (connection, other) = try await twoConnections()
        let process = await connection.serverProcess
        let task = Task { try await connection.query("SELECT pg_sleep(600)") }
        try await other.waitUntilActive(process)
        await connection.close()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.kind == .closed)
    }

    @Test func `a connection nobody refers to any more ends its session`() async throws {
        let database = try await testDatabase()
        let other = try await Connection.open(database)
        let process = try await Connection.open(database).serverProcess
        while try await other.value("SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)", as: Int.self) > 0 {
            await Task.yield()
        }
    }

    @Test func `who cannot connect is told without the password`() async throws {
        for url in ["host=/nowhere password=sesame", "postgresql://me:sesame@127.0.0.1:1/x", "sesame", "host=a\0b"] {
            var configuration = ConnectionConfiguration(url: url)
            configuration.connectTimeout = .seconds(2)
            let error = try await postgresError { _ = try await Connection.open(configuration) }
            #expect(!"\(error)".contains("sesame") && !"\(configuration)".contains("sesame"))
            #expect(!String(reflecting: configuration).contains("sesame"))
        }
        let known = ConnectionConfiguration(url: "postgresql://me:sesame@db.example:5433/mall")
        #expect("\(known)" == "host=db.example port=5433 dbname=mall user=me")
    }

    /// In a separate process, so that no other test keeps a thread busy. If the poller spins, the condition never holds.
    @Test func `a poller sleeps when the server has closed its connections`() async throws {
        let url = try await testDatabase().url
        await #expect(processExitsWith: .success) { [url = url as String] in
            let configuration = ConnectionConfiguration(url: url)
            let other = try await Connection.open(configuration)
            var idle: [Connection] = []
            for _ in 0..<4 {
                let connection = try await Connection.open(configuration)
                // It waits for the answer, so the poller has watched the socket.
                _ = try await connection.query("SELECT pg_sleep(0.01)")
                idle.append(connection)
            }
            alarm(300)
            for connection in idle { try await other.terminate(await connection.serverProcess) }
            var observations = 0
            while observations < 100 { observations = try otherThreadsSleep() ? observations + 1 : 0 }
            withExtendedLifetime(idle) {}
            exit(EXIT_SUCCESS)
        }
    }
}

/// Whether every thread of this process but the calling one is blocked (state `S` in `proc_pid_stat(5)`).
private func otherThreadsSleep() throws -> Bool {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    return threads.filter { !own.hasSuffix("/\($0)") }.allSatisfy { thread in
        // A thread that has ended meanwhile has no file.
        guard let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8) else {
            return true
        }
        return status.contains(") S ")
    }
}
