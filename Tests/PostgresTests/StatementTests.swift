import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct StatementTests {
    @Test func `statement is prepared once and its rows are decoded`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        for number in 0..<3 {
            let rows = try await connection.query(
                "SELECT n, 'row ' || n, NULL::bool FROM generate_series(1, \(number)) AS n")
            let decoded = try rows.decode((Int64, String, Bool?).self)
            #expect(decoded.map(\.0) == (1...3).prefix(number).map { Int64($0) })
            #expect(decoded.map(\.1) == decoded.map { "row \($0.0)" })
            #expect(rows.affected == number)
        }
        #expect(try await connection.value("SELECT count(*) FROM pg_prepared_statements", as: Int.self) == 2)
    }

    @Test func `statement cache is bounded`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        for number in 0..<600 {
            #expect(try await connection.value("SELECT \(raw: "\(number)")", as: Int.self) == number)
        }
        #expect(try await connection.value("SELECT 599", as: Int.self) == 599)
        let held = try await connection.value("SELECT count(*) FROM pg_prepared_statements", as: Int.self)
        #expect(held > 200 && held <= 258)
    }

    @Test func `prepared statement is renewed after a change of the schema`() async throws {
        let (connection, other) = try await twoConnections()
        try await connection.execute("CREATE TABLE thing (a int8); INSERT INTO thing VALUES (1)")
        #expect(try await connection.query("SELECT * FROM thing")[0].count == 1)
        try await other.execute("ALTER TABLE thing ADD b text DEFAULT 'x'")
        #expect(try await connection.query("SELECT * FROM thing").decode((Int, String).self).map(\.1) == ["x"])
        try await connection.execute("DEALLOCATE ALL")
        #expect(try await connection.query("SELECT * FROM thing").count == 1)
    }

    @Test func `statement values are never interpreted as SQL`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        for text in ["'", "''", "\\'", "\"", "$1", "$$", "; DROP TABLE pg_class", "%s", "--", "/*", "E'\\000'"] {
            #expect(try await connection.value("SELECT \(text) || ''", as: String.self) == text)
        }
        let inQuotes = try await connection.value("SELECT '\("x' OR 'x")'", as: String.self)
        #expect(inQuotes == "$1", "a placeholder in quotes is a text of its own")
    }

    @Test func `statement with a NUL is refused`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        #expect(try await postgresError { _ = try await connection.query("SELECT \("a\0b")") }.sqlState == "22021")
        #expect(try await postgresError { _ = try await connection.query("SELECT \(["a\0b"])") }.sqlState == "22021")
        #expect(try await postgresError { _ = try await connection.query("SELECT 1\0") }.kind == .misuse)
        #expect(try await postgresError { try await connection.execute("SELECT 1; \0 SELECT 2") }.kind == .misuse)
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `execute runs several statements as one transaction`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        let error = try await postgresError {
            try await connection.execute("CREATE TABLE thing (a int8); INSERT INTO thing VALUES (1 / 0)")
        }
        #expect(error.sqlState == "22012")
        #expect(try await connection.value("SELECT to_regclass('thing')::text", as: String?.self) == nil)
        try await connection.execute("")
    }

    @Test func `query refuses COPY`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        try await connection.execute("CREATE TABLE thing (a int8)")
        for sql in ["COPY thing FROM STDIN", "COPY (SELECT generate_series(1, 100000)) TO STDOUT"] {
            #expect(try await postgresError { try await connection.execute(sql) }.kind == .misuse)
            #expect(try await postgresError { _ = try await connection.query("\(raw: sql)") }.kind == .misuse)
            #expect(try await postgresError { try await connection.stream("\(raw: sql)") { _ in } }.kind == .misuse)
            #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test func `query with too many parameters is refused`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        #expect(try await postgresError { _ = try await connection.query(tooManyParameters()) }.kind == .misuse)
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }
}
