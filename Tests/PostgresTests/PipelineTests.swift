import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct PipelineTests {
    @Test func `pipeline returns results in order and prepares each statement once`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        for _ in 0..<2 {
            let rows = try await connection.pipeline((0..<100).map { "SELECT \($0)" } + ["SELECT 'x' WHERE false"])
            #expect(try rows.prefix(100).map { try $0.decode(Int.self) } == (0..<100).map { [$0] })
            #expect(rows[100].isEmpty)
        }
        #expect(try await connection.pipeline([]).isEmpty)
        #expect(try await connection.value("SELECT count(*) FROM pg_prepared_statements", as: Int.self) == 3)
    }

    @Test func `pipeline does not deadlock on full buffers`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        let text = TextBytes([UInt8](repeating: 0x61, count: 300_000))
        let large = TextBytes([UInt8](repeating: 0x61, count: 30_000_000))
        let queries = [Query](repeating: "SELECT \(text), \(text)", count: 40) + ["SELECT \(large)", "SELECT \(1)"]
        let rows = try await connection.pipeline(queries)
        #expect(rows.count == 42)
        #expect(try rows[39][0].decode(1, as: String.self).utf8.count == 300_000)
        #expect(try rows[40][0].decode(0, as: String.self).utf8.count == 30_000_000)
    }

    @Test func `pipeline error contains the index of its query and rolls back all of them`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        try await connection.execute("CREATE TABLE thing (a int8)")
        for failing: Query in ["SELECT 1 / \(0)", "SELECT nothing", "COMPLAIN", "SELECT \("x")::int8"] {
            let error = try await postgresError {
                _ = try await connection.pipeline([
                    "INSERT INTO thing VALUES (\(1))", "INSERT INTO thing VALUES (\(2))", failing,
                    "INSERT INTO thing VALUES (\(3))",
                ])
            }
            #expect(error.pipelineIndex == 2 && error.kind == .server)
            #expect(try await connection.value("SELECT count(*) FROM thing", as: Int.self) == 0)
        }
        let text = TextBytes([UInt8](repeating: 0x61, count: 2_000))
        let many = (0..<1_000).map { "SELECT \(text), 1 / \($0 - 500)" as Query }
        #expect(try await postgresError { _ = try await connection.pipeline(many) }.pipelineIndex == 500)
        #expect(try await connection.pipeline(["INSERT INTO thing VALUES (\(1))"]).map(\.affected) == [1])
    }

    @Test func `pipeline refuses an invalid query before anything is sent`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        try await connection.execute("CREATE TABLE thing (a int8)")
        let query = tooManyParameters()
        let insert: Query = "INSERT INTO thing VALUES (\(1))"
        let error = try await postgresError { _ = try await connection.pipeline([insert, query, insert]) }
        #expect(error.kind == .misuse && error.pipelineIndex == 1)
        #expect(try await connection.value("SELECT count(*) FROM thing", as: Int.self) == 0)
    }

    @Test func `pipeline: a session that is terminated is lost`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        let error = try await postgresError {
            _ = try await connection.pipeline(["SELECT 1", "SELECT pg_terminate_backend(pg_backend_pid())", "SELECT 2"])
        }
        #expect(error.isConnectionLost)
    }
}
