import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct ErrorTests {
    @Test func `error description contains code and constraint, and no values`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        try await connection.execute(
            """
            CREATE TABLE person (name text CONSTRAINT name_once UNIQUE, age int8 CONSTRAINT grown_up CHECK (age >= 18));
            INSERT INTO person VALUES ('Ana Secret', 30)
            """)
        let ana: Query = "INSERT INTO person VALUES (\("Ana Secret"), 31)"
        let twice = try await postgresError { _ = try await connection.query(ana) }
        #expect(twice.isUniqueViolation && twice.constraint == "name_once" && !twice.isRetryable)
        #expect(twice.detail?.contains("Ana Secret") == true, "so there is something to hide")
        let bo: Query = "INSERT INTO person VALUES (\("Bo Secret"), 7)"
        let young = try await postgresError { _ = try await connection.query(bo) }
        #expect(young.sqlState == "23514" && young.constraint == "grown_up")
        let cast = try await postgresError { _ = try await connection.query("SELECT \("Cy Secret")::int8") }
        #expect(cast.message?.contains("Cy Secret") == true, "so there is something to hide")
        for error in [twice, young, cast] {
            let shown = ["\(error)", String(reflecting: error), "\([error])", "\(error as any Error)"]
            #expect(shown.allSatisfy { $0.contains(error.sqlState ?? "?") && !$0.contains("Secret") })
            #expect(error.kind == .server && !error.isConnectionLost && !error.outcomeUnknown)
        }
        #expect("\(twice)" == "PostgreSQL refused a statement (23505) by constraint name_once")
    }

    @Test(arguments: [
        ("53100", true), ("53200", true), ("53300", true), ("53400", true), ("57P01", true), ("57P03", true),
        ("58030", true), ("57014", false), ("58P01", false), ("23505", false), ("42601", false),
    ])
    func `error: lack of resources is distinguished from an invalid statement`(code: String, isOut: Bool) async throws {
        let connection = try await Connection.open(try await testDatabase())
        let error = try await postgresError {
            try await connection.execute("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '\(code)'; END $$")
        }
        #expect(error.sqlState == code && error.isOutOfResources == isOut && error.isDiskFull == (code == "53100"))
    }

    @Test func `deadlock error is retryable`() async throws {
        let (first, second) = try await twoConnections()
        try await first.execute("CREATE TABLE thing (a int8); INSERT INTO thing VALUES (1), (2)")
        try await first.execute("SET deadlock_timeout TO 50")
        try await first.execute("BEGIN; UPDATE thing SET a = a WHERE a = 1")
        try await second.execute("BEGIN; UPDATE thing SET a = a WHERE a = 2")
        let task = Task { try await second.execute("UPDATE thing SET a = a WHERE a = 1") }
        let error = await thrown { try await first.execute("UPDATE thing SET a = a WHERE a = 2") }
        if error != nil { try await first.execute("ROLLBACK") }
        let other = await thrown { try await task.value }
        let deadlock = try #require((error ?? other) as? PostgresError)
        #expect(deadlock.sqlState == "40P01" && deadlock.isRetryable)
    }
}
