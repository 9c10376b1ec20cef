import Foundation
import Postgres
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct CopyTests {
    private func table() async throws -> Connection {
        let connection = try await Connection.open(try await testDatabase())
        try await connection.execute("CREATE TABLE thing (a int8, b text, c timestamptz, d bytea, e int8[])")
        return connection
    }

    @Test func `copy in stores rows`() async throws {
        let connection = try await self.table()
        let date = Date(timeIntervalSinceReferenceDate: 1_000.25)
        let count = try await connection.copyIn("COPY thing FROM STDIN (FORMAT binary)") { writer in
            for number in 0..<20_000 {
                let text = number % 3 == 0 ? nil : TextBytes(Array("row \(number)".utf8))
                try await writer.row(number, text, date, Bytes([0, 255]), [number, nil])
            }
        }
        #expect(count == 20_000)
        let rows = try await connection.query("SELECT * FROM thing WHERE a < 2 ORDER BY a")
            .decode((Int, String?, Date, Bytes, [Int?]).self)
        #expect(rows.map(\.0) == [0, 1])
        #expect(rows.map(\.1) == [nil, "row 1"])
        #expect(rows.allSatisfy { $0.2 == date && $0.3 == Bytes([0, 255]) })
        #expect(rows.map(\.4) == [[0, nil], [1, nil]])
        #expect(try await connection.value("SELECT sum(a)::int8 FROM thing", as: Int.self) == 199_990_000)
        #expect(try await connection.copyIn("COPY thing FROM STDIN (FORMAT binary)") { _ in } == 0)
    }

    @Test func `copy in stores rows larger than a chunk`() async throws {
        let connection = try await self.table()
        let large = TextBytes([UInt8](repeating: 0x61, count: 5_000_000))
        _ = try await connection.copyIn("COPY thing (a, b) FROM STDIN (FORMAT binary)") { writer in
            for number in 0..<4 { try await writer.row(number, large) }
        }
        let length = try await connection.value("SELECT sum(length(b))::int8 FROM thing", as: Int.self)
        #expect(length == 4 * 5_000_000)
    }

    @Test func `copy in continues while the server sends notices`() async throws {
        let connection = try await self.table()
        try await connection.execute(
            """
            CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE NOTICE '%', repeat('loud', 2000); RETURN NEW; END $$;
            CREATE TRIGGER shout BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION shout();
            """)
        let text = String(repeating: "x", count: 5_000)
        let count = try await connection.copyIn("COPY thing (a, b) FROM STDIN (FORMAT binary)") { writer in
            for number in 0..<5_000 { try await writer.row(number, text) }
        }
        #expect(count == 5_000)
    }

    @Test func `copy in stores nothing if the closure throws`() async throws {
        let connection = try await self.table()
        for rows in [0, 1, 100_000] {
            await #expect(throws: Oops()) {
                _ = try await connection.copyIn("COPY thing (a) FROM STDIN (FORMAT binary)") { writer in
                    for number in 0..<rows { try await writer.row(number) }
                    throw Oops()
                }
            }
            #expect(try await connection.value("SELECT count(*) FROM thing", as: Int.self) == 0)
        }
    }

    @Test func `copy in whose closure throws does not wait for a lock`() async throws {
        let (connection, other) = try await twoConnections()
        try await connection.execute("CREATE TABLE thing (a int8 PRIMARY KEY)")
        try await other.execute("BEGIN; INSERT INTO thing VALUES (0)")
        await #expect(throws: Oops()) {
            _ = try await connection.copyIn("COPY thing FROM STDIN (FORMAT binary)") { writer in
                for number in 0..<10_000 { try await writer.row(number) }
                throw Oops()
            }
        }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `copy in reports a rejected row at the end`() async throws {
        let connection = try await self.table()
        try await connection.execute("CREATE UNIQUE INDEX one ON thing (a)")
        let twice = try await postgresError {
            _ = try await connection.copyIn("COPY thing (a) FROM STDIN (FORMAT binary)") { writer in
                for number in 0..<100_000 { try await writer.row(number % 90_000) }
            }
        }
        #expect(twice.isUniqueViolation && twice.constraint == "one")
        let missing = try await postgresError {
            _ = try await connection.copyIn("COPY thing (a, b) FROM STDIN (FORMAT binary)") { try await $0.row(1) }
        }
        #expect(missing.sqlState == "22P04")
        let narrow = try await postgresError {
            _ = try await connection.copyIn("COPY thing (a) FROM STDIN (FORMAT binary)") { try await $0.row(Int32(1)) }
        }
        #expect(narrow.sqlState == "08P01")
        #expect(try await connection.value("SELECT count(*) FROM thing", as: Int.self) == 0)
    }

    @Test func `copy refuses other statements before anything is written`() async throws {
        let connection = try await self.table()
        let wrong: [Query] = [
            "COPY thing FROM STDIN", "COPY thing TO STDOUT", "SELECT 1", "COPY nothing FROM STDIN", "COPY",
            "COPY thing FROM STDIN (FORMAT binary) WHERE a = \(1)",
        ]
        for query in wrong {
            _ = try await postgresError {
                _ = try await connection.copyIn(query) { _ in Issue.record("the body ran") }
            }
        }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `copy in can be cancelled`() async throws {
        let (connection, other) = try await twoConnections()
        try await connection.execute("CREATE TABLE thing (a int8 PRIMARY KEY)")
        try await other.execute("BEGIN; INSERT INTO thing VALUES (0)")
        let process = await connection.serverProcess
        let task = Task {
            try await connection.copyIn("COPY thing FROM STDIN (FORMAT binary)") { writer in
                for number in 0... { try await writer.row(number) }
            }
        }
        try await other.waitUntilActive(process, waitingFor: "transactionid")
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }

    @Test func `a writer is ahead of a server that waits, but not by much`() async throws {
        let (connection, other) = try await twoConnections()
        try await connection.execute("CREATE TABLE thing (a int8 PRIMARY KEY, b text)")
        try await other.execute("BEGIN; INSERT INTO thing VALUES (0)")
        let process = await connection.serverProcess
        let isReleased = Atomic(false), written = Atomic(0)
        let text = TextBytes([UInt8](repeating: 0x61, count: 1_000))
        let copy = Task {
            try await connection.copyIn("COPY thing FROM STDIN (FORMAT binary)") { writer in
                for number in 0..<8_000 {
                    try await writer.row(number, text)
                    written.store(number, ordering: .relaxed)
                    // The chunks that are ahead, and those that the sockets of both sides hold.
                    if number == 4_000, !isReleased.load(ordering: .acquiring) { throw Oops() }
                }
            }
        }
        try await other.waitUntilActive(process, waitingFor: "transactionid")
        isReleased.store(true, ordering: .releasing)
        try await other.execute("ROLLBACK")
        #expect(try await copy.value == 8_000)
        #expect(written.load(ordering: .relaxed) == 7_999)
        #expect(try await connection.value("SELECT sum(length(b))::int8 FROM thing", as: Int.self) == 8_000_000)
    }

    @Test func `copy: a session that is terminated is lost`() async throws {
        let (connection, other) = try await twoConnections()
        try await connection.execute("CREATE TABLE thing (a int8)")
        let process = await connection.serverProcess
        let error = try await postgresError {
            _ = try await connection.copyIn("COPY thing FROM STDIN (FORMAT binary)") { writer in
                for number in 0..<1_000_000 {
                    if number == 100_000 { try await other.terminate(process) }
                    try await writer.row(number)
                }
            }
        }
        #expect(error.isConnectionLost && error.isRetryable)
    }
}
