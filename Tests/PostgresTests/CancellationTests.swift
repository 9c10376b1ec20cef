import Glibc
import Postgres
import SampleVenue
import Testing

@Suite(.timeLimit(.minutes(30))) struct CancellationTests {
    @Test func `cancellation of a statement leaves the connection usable`() async throws {
        let (connection, other) = try await twoConnections()
        let process = await connection.serverProcess
        let task = Task { try await connection.query("SELECT pg_sleep(600)") }
        try await other.waitUntilActive(process)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
        #expect(await connection.serverProcess == process)
    }

    @Test func `cancellation: a cancelled task sends nothing`() async throws {
        let (connection, other) = try await twoConnections()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await connection.execute("CREATE TABLE thing (a int8)")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await other.value("SELECT to_regclass('thing')::text", as: String?.self) == nil)
    }

    @Test func `late cancel request does not affect the next statement`() async throws {
        var random = SplitMix64(seed: 1)
        let (connection, other) = try await twoConnections()
        for number in 0..<50 {
            let seconds = Double.random(in: 0...0.004, using: &random)
            let task = Task { try await connection.query("SELECT pg_sleep(\(seconds))") }
            // Statements on another connection let the cancellation meet the statement at any stage.
            for _ in 0..<Int.random(in: 0...20, using: &random) { _ = try await other.query("SELECT 1") }
            task.cancel()
            if let error = await thrown({ _ = try await task.value }) { #expect(error is CancellationError) }
            #expect(try await connection.value("SELECT \(number) FROM pg_sleep(0.001)", as: Int.self) == number)
        }
    }

    @Test func `early cancel request is repeated`() async throws {
        // The server ignores a request that arrives between statements, as it does here.
        let connection = try await Connection.open(try await testDatabase())
        for _ in 0..<20 {
            let task = Task { try await connection.pipeline(["SELECT 1", "SELECT pg_sleep(600)"]) }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `cancellation of a pipeline leaves the connection usable`() async throws {
        let (connection, other) = try await twoConnections()
        let process = await connection.serverProcess
        let task = Task {
            try await connection.pipeline(["SELECT 1", "SELECT pg_sleep(600)", "SELECT \("x")", "SELECT pg_sleep(600)"])
        }
        try await other.waitUntilActive(process)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await connection.pipeline(["SELECT 1", "SELECT 2"]).map(\.count) == [1, 1])
    }

    @Test func `cancellation of a transaction rolls it back`() async throws {
        let (connection, other) = try await twoConnections()
        try await connection.execute("CREATE TABLE thing (a int8)")
        let process = await connection.serverProcess
        let task = Task {
            try await connection.transaction { db in
                _ = try await db.query("INSERT INTO thing VALUES (1)")
                _ = try await db.query("SELECT pg_sleep(600)")
            }
        }
        try await other.waitUntilActive(process)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await connection.value("SELECT count(*) FROM thing", as: Int.self) == 0)
    }

    @Test func `cancellation: connecting to an unresponsive server can be cancelled`() async throws {
        // A socket whose connections are never accepted.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var template = Array("/tmp/postgres-silent.XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = folder + "/.s.PGSQL.5432"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(listening)
            unlink(path)
            rmdir(folder)
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, size) }
        }
        try #require(bound == 0 && listen(listening, 8) == 0)
        let configuration = ConnectionConfiguration(url: "host=\(folder)")
        let task = Task { try await Connection.open(configuration) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func `statement timeout is a server error, not a cancellation`() async throws {
        var configuration = try await testDatabase()
        configuration.statementTimeout = .milliseconds(20)
        let connection = try await Connection.open(configuration)
        let error = try await postgresError { _ = try await connection.query("SELECT pg_sleep(600)") }
        #expect(error.sqlState == "57014" && error.kind == .server)
    }
}
