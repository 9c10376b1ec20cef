import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct TransactionTests {
    private func pools() async throws -> (ConnectionPool, ConnectionPool) {
        let database = try await testDatabase()
        let pool = ConnectionPool(database, size: 2)
        try await pool.withConnection {
            try await $0.execute("CREATE TABLE thing (a int8 PRIMARY KEY, b int8); INSERT INTO thing VALUES (1, 0)")
        }
        return (pool, ConnectionPool(database, size: 2))
    }

    @Test func `transaction commits when its closure returns and rolls back when it throws`() async throws {
        let (pool, other) = try await self.pools()
        let result = try await pool.transaction { db in
            _ = try await db.query("UPDATE thing SET b = 1")
            return "done"
        }
        #expect(result == "done")
        await #expect(throws: Oops()) {
            try await pool.transaction { db in
                _ = try await db.query("UPDATE thing SET b = 2")
                throw Oops()
            }
        }
        #expect(try await other.query("SELECT b FROM thing").decode(Int.self) == [1])
    }

    @Test func `transaction has the requested isolation level and access mode`() async throws {
        let (pool, _) = try await self.pools()
        let modes = try await pool.transaction(isolation: .serializable, readOnly: true) { db in
            let error = await thrown {
                try await pool.transaction(isolation: .repeatableRead, readOnly: true) { other in
                    _ = try await other.query("UPDATE thing SET b = 1")
                }
            }
            #expect((error as? PostgresError)?.sqlState == "25006")
            let settings: Query =
                "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')"
            return try await db.query(settings).decode((String, String).self)
        }
        #expect(modes.map(\.0) == ["serializable"])
        #expect(modes.map(\.1) == ["on"])
    }

    @Test func `transaction is retried after a serialization failure`() async throws {
        let (pool, other) = try await self.pools()
        var attempts = 0
        try await pool.transaction(isolation: .repeatableRead) { db in
            attempts += 1
            let seen = try await db.value("SELECT b FROM thing", as: Int.self)
            if attempts < 3 { _ = try await other.query("UPDATE thing SET b = b + 10") }
            _ = try await db.query("UPDATE thing SET b = \(seen + 1)")
        }
        #expect(attempts == 3)
        #expect(try await other.query("SELECT b FROM thing").decode(Int.self) == [21])
    }

    @Test func `transaction is retried after a serialization failure in COMMIT`() async throws {
        let (pool, other) = try await self.pools()
        var attempts = 0
        try await pool.transaction(isolation: .serializable) { db in
            attempts += 1
            let rows = try await db.value("SELECT count(*) FROM thing", as: Int.self)
            _ = try await db.query("INSERT INTO thing VALUES (\(100 + rows), 0)")
            if attempts > 1 { return }
            try await other.transaction(isolation: .serializable) { db in
                let rows = try await db.value("SELECT count(*) FROM thing", as: Int.self)
                _ = try await db.query("INSERT INTO thing VALUES (\(200 + rows), 0)")
            }
        }
        #expect(attempts == 2)
        #expect(try await other.query("SELECT a FROM thing ORDER BY a").decode(Int.self) == [1, 102, 201])
    }

    @Test func `transaction retries are bounded`() async throws {
        let (pool, other) = try await self.pools()
        var attempts = 0
        let error = try await postgresError {
            try await pool.transaction(isolation: .repeatableRead) { db in
                attempts += 1
                _ = try await db.query("SELECT b FROM thing")
                _ = try await other.query("UPDATE thing SET b = b + 10")
                _ = try await db.query("UPDATE thing SET b = 0")
            }
        }
        #expect(error.sqlState == "40001" && error.isRetryable)
        #expect(attempts == ConnectionPool.transactionAttempts)
    }

    @Test func `transaction is not retried after other errors`() async throws {
        let (pool, _) = try await self.pools()
        var attempts = 0
        let error = try await postgresError {
            try await pool.transaction { db in
                attempts += 1
                _ = try await db.query("INSERT INTO thing VALUES (1, 0)")
            }
        }
        #expect(error.isUniqueViolation)
        #expect(attempts == 1)
    }

    @Test func `transaction with an ignored error does not commit`() async throws {
        let (pool, other) = try await self.pools()
        let error = try await postgresError {
            try await pool.transaction { db in
                _ = try await db.query("UPDATE thing SET b = 1")
                _ = await thrown { _ = try await db.query("SELECT 1 / 0") }
            }
        }
        #expect(error.kind == .rolledBack)
        #expect(try await other.query("SELECT b FROM thing").decode(Int.self) == [0])
    }

    @Test func `transaction is retried if its session is lost before COMMIT`() async throws {
        let (pool, other) = try await self.pools()
        var attempts = 0
        try await pool.transaction { db in
            attempts += 1
            _ = try await db.query("UPDATE thing SET b = b + 1")
            if attempts == 1 { _ = try await db.query("SELECT pg_terminate_backend(pg_backend_pid())") }
        }
        #expect(attempts == 2)
        #expect(try await other.query("SELECT b FROM thing").decode(Int.self) == [1])
    }

    @Test func `transaction is not retried if its session is lost during COMMIT`() async throws {
        let (pool, _) = try await self.pools()
        try await pool.withConnection {
            try await $0.execute(
                """
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER die AFTER UPDATE ON thing DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die();
                """)
        }
        var attempts = 0
        let error = try await postgresError {
            try await pool.transaction { db in
                attempts += 1
                _ = try await db.query("UPDATE thing SET b = 1")
            }
        }
        #expect(error.outcomeUnknown && error.isConnectionLost)
        #expect("\(error)".contains("unknown"))
        #expect(attempts == 1)
    }

    @Test func `transaction in a transaction is refused`() async throws {
        let (pool, _) = try await self.pools()
        try await pool.transaction { db in
            let refusal = try await postgresError { try await db.transaction { _ in } }
            #expect(refusal.kind == .misuse)
            let result = try await db.value("SELECT 1", as: Int.self)
            #expect(result == 1)
        }
    }
}
