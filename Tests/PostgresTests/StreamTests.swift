import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct StreamTests {
    @Test func `stream passes every row once and in order`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        var next = 1
        try await connection.stream("SELECT n, repeat('x', 100) FROM generate_series(1, \(20_000)) AS n ORDER BY n") {
            row in
            let number = try row.decode((Int, String).self).0
            #expect(number == next)
            next += 1
        }
        #expect(next == 20_001)
        try await connection.stream("SELECT 1 WHERE false") { _ in Issue.record("there is no row") }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `stream whose closure throws cancels the statement`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        for rows in [1, 1_000] {
            var seen = 0
            await #expect(throws: Oops()) {
                // The rest would take the server an hour.
                try await connection.stream("SELECT generate_series(1, 1e10)") { _ in
                    seen += 1
                    if seen == rows { throw Oops() }
                }
            }
            #expect(seen == rows)
            #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test func `stream reports an error after the rows before it`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        var seen = 0
        let error = try await postgresError {
            try await connection.stream("SELECT 1 / (n - 3000) FROM generate_series(1, 5000) AS n") { _ in seen += 1 }
        }
        #expect(error.sqlState == "22012")
        #expect(seen <= 2_999)
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `stream can be cancelled, and its closure can use other connections`() async throws {
        let (connection, other) = try await twoConnections()
        let task = Task {
            try await connection.stream("SELECT generate_series(1, 10000000000)") { row in
                let number = try row.decode(0, as: Int.self)
                #expect(try await other.value("SELECT \(number)", as: Int.self) == number)
                #expect(try await postgresError { _ = try await connection.query("SELECT 1") }.kind == .busy)
                if number == 300 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }
}
