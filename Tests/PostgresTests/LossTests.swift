import Foundation
import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct LossTests {
    @Test func `terminated session with a running statement is lost`() async throws {
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

    @Test func `terminated idle session is detected by the next statement`() async throws {
        let (connection, other) = try await twoConnections()
        try await other.terminate(await connection.serverProcess)
        #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.isConnectionLost)
    }

    @Test func `closed connection throws closed`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        await connection.close()
        let error = try await postgresError { _ = try await connection.query("SELECT 1") }
        #expect(error.kind == .closed && !error.isRetryable)
        #expect(await connection.serverProcess == 0)
    }

    @Test func `connection in use refuses a second task`() async throws {
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

    @Test func `closing a connection in use takes effect after the statement`() async throws {
        let (connection, other) = try await twoConnections()
        let process = await connection.serverProcess
        let task = Task { try await connection.query("SELECT pg_sleep(600)") }
        try await other.waitUntilActive(process)
        await connection.close()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.kind == .closed)
    }

    @Test func `unreferenced connection ends its session`() async throws {
        let database = try await testDatabase()
        let other = try await Connection.open(database)
        let process = try await Connection.open(database).serverProcess
        while try await other.value("SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)", as: Int.self) > 0 {
            await Task.yield()
        }
    }

    @Test func `connection error does not contain the password`() async throws {
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

    /// In a process of its own, because the poller serves all connections of a process.
    @Test func `poller is not woken by idle connections that the server has closed`() async throws {
        let url = try await testDatabase().url
        await #expect(processExitsWith: .success) { [url = url as String] in
            let configuration = ConnectionConfiguration(url: url)
            let other = try await Connection.open(configuration)
            var idle: [Connection] = []
            for _ in 0..<4 {
                let connection = try await Connection.open(configuration)
                // This waits for a result, so the poller has watched the socket.
                _ = try await connection.query("SELECT pg_sleep(0.01)")
                idle.append(connection)
            }
            alarm(300)
            for connection in idle { try await other.terminate(await connection.serverProcess) }
            let before = Connection.pollerWakeUps
            // A thread that is busy with the closed sockets wakes thousands of times meanwhile.
            let queries = 20
            for _ in 0..<queries { _ = try await other.query("SELECT pg_sleep(0.01)") }
            let wakeUps = Connection.pollerWakeUps - before
            withExtendedLifetime(idle) {}
            // Each query waits for the result of its preparation or execution once, or at most a few times.
            #expect((queries...10 * queries).contains(wakeUps), "\(wakeUps)")
            exit((queries...10 * queries).contains(wakeUps) ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
