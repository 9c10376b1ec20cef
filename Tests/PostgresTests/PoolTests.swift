import Postgres
import Testing

@Suite(.timeLimit(.minutes(30))) struct PoolTests {
    @Test func `pool gives a connection to one closure at a time`() async throws {
        let pool = ConnectionPool(try await testDatabase(), size: 3)
        let lent = Shared((now: Set<ObjectIdentifier>(), ever: Set<ObjectIdentifier>()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<20 {
                group.addTask {
                    for number in 0..<20 {
                        try await pool.withConnection { db in
                            let isNew = lent.withLock { lent in
                                lent.ever.insert(ObjectIdentifier(db))
                                return lent.now.insert(ObjectIdentifier(db)).inserted
                            }
                            #expect(isNew)
                            let result = try await db.value("SELECT \(task * number)", as: Int.self)
                            #expect(result == task * number)
                            lent.withLock { _ = $0.now.remove(ObjectIdentifier(db)) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(lent.withLock { $0.ever.count } <= 3)
        await pool.close()
    }

    @Test func `pool serves requests in their order`() async throws {
        let pool = ConnectionPool(try await testDatabase(), size: 1)
        let order = Shared<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await pool.withConnection { _ in
                for number in 0..<10 {
                    group.addTask { try await pool.withConnection { _ in order.withLock { $0.append(number) } } }
                    while pool.waitingCount <= number { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
        #expect(order.withLock { $0 } == Array(0..<10))
    }

    @Test func `pool: waiting for a connection can be cancelled`() async throws {
        let pool = ConnectionPool(try await testDatabase(), size: 1)
        try await pool.withConnection { _ in
            let waiting = Task { try await pool.query("SELECT 1") }
            let patient = Task { try await pool.query("SELECT 2").decode(Int.self) }
            while pool.waitingCount < 2 { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
            #expect(pool.waitingCount == 1)
            patient.cancel()
            await #expect(throws: CancellationError.self) { _ = try await patient.value }
        }
        #expect(try await pool.query("SELECT 3").decode(Int.self) == [3])
    }

    @Test func `pool replaces a lost connection`() async throws {
        let database = try await testDatabase()
        let pool = ConnectionPool(database, size: 1)
        let other = try await Connection.open(database)
        for _ in 0..<3 {
            let process = try await pool.withConnection { await $0.serverProcess }
            // Lost while it is idle.
            try await other.terminate(process)
            #expect(try await pool.query("SELECT 1").decode(Int.self) == [1])
            // Lost during a statement.
            let suicide: Query = "SELECT pg_terminate_backend(pg_backend_pid())"
            let error = try await postgresError { _ = try await pool.query(suicide) }
            #expect(error.isConnectionLost)
            #expect(try await pool.query("SELECT 1").decode(Int.self) == [1])
        }
    }

    @Test func `pool opens a connection for a waiting closure when another one is lost`() async throws {
        let pool = ConnectionPool(try await testDatabase(), size: 1)
        let waiting = try await pool.withConnection { db in
            let waiting = Task { try await pool.query("SELECT 1").decode(Int.self) }
            while pool.waitingCount == 0 { await Task.yield() }
            _ = await thrown { _ = try await db.query("SELECT pg_terminate_backend(pg_backend_pid())") }
            return waiting
        }
        #expect(try await waiting.value == [1])
    }

    @Test func `pool slot is released when connecting fails`() async throws {
        let pool = ConnectionPool(ConnectionConfiguration(url: "host=/nowhere"), size: 1)
        for _ in 0..<3 {
            let error = try await postgresError { _ = try await pool.query("SELECT 1") }
            #expect(error.kind == .connecting && error.isConnectionLost)
        }
        await pool.close()
    }

    @Test func `pool rolls back a transaction that was left open`() async throws {
        let pool = ConnectionPool(try await testDatabase(), size: 1)
        let process = try await pool.withConnection { db in
            try await db.execute("BEGIN; CREATE TABLE thing (a int8)")
            return await db.serverProcess
        }
        #expect(try await pool.query("SELECT to_regclass('thing')::text").decode(String?.self) == [nil])
        #expect(try await pool.withConnection { await $0.serverProcess } == process)
    }

    @Test func `pool does not reuse a connection with a running statement`() async throws {
        let database = try await testDatabase()
        let pool = ConnectionPool(database, size: 1)
        let other = try await Connection.open(database)
        let (left, process) = try await pool.withConnection { db in
            let left = Task { try await db.query("SELECT pg_sleep(600)") }
            try await other.waitUntilActive(await db.serverProcess)
            return (left, await db.serverProcess)
        }
        #expect(try await pool.withConnection { await $0.serverProcess } != process)
        left.cancel()
        await #expect(throws: CancellationError.self) { _ = try await left.value }
    }

    @Test func `closing a pool refuses requests and waits for connections in use`() async throws {
        let database = try await testDatabase()
        let other = try await Connection.open(database)
        let pool = ConnectionPool(database, size: 1)
        let (closing, waiting) = try await pool.withConnection { db in
            let waiting = Task { try await pool.query("SELECT 1") }
            while pool.waitingCount == 0 { await Task.yield() }
            let closing = Task { await pool.close() }
            let refusal = try await postgresError { _ = try await waiting.value }
            #expect(refusal.kind == .closed)
            let result = try await db.value("SELECT 1", as: Int.self)
            #expect(result == 1)
            return (closing, waiting)
        }
        await closing.value
        waiting.cancel()
        #expect(try await postgresError { _ = try await pool.query("SELECT 1") }.kind == .closed)
        let sessions: Query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        while try await other.value(sessions, as: Int.self) > 1 { await Task.yield() }
    }
}
