import Glibc
import Postgres
import Synchronization
import Testing

/// A value that several tasks change.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        self.value.withLock { body(&$0) }
    }
}

/// An error for tests.
struct Oops: Error, Equatable {}

extension Connection {
    /// The only value of a result.
    func value<Value: PostgresDecodable & Sendable>(_ query: Query, as: Value.Type = Value.self) async throws -> Value {
        try #require(try await self.query(query).decode(Value.self).first)
    }

    /// Terminates another session, and returns when its process has ended and so its end of the socket is closed.
    func terminate(_ process: Int32) async throws {
        _ = try await self.query("SELECT pg_terminate_backend(\(process))")
        while kill(process, 0) == 0 || errno == EPERM { await Task.yield() }
    }

    /// Returns when another session runs a statement.
    func waitUntilActive(_ process: Int32, waitingFor event: String = "PgSleep") async throws {
        while try await self.value(
            "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND wait_event = \(event)", as: Int.self) == 0
        {
            await Task.yield()
        }
    }
}

/// Two sessions on a fresh database; the second one observes the first.
func twoConnections() async throws -> (Connection, Connection) {
    let database = try await testDatabase()
    return (try await Connection.open(database), try await Connection.open(database))
}

/// One parameter more than the protocol supports.
func tooManyParameters() -> Query {
    var values: Query = "\(true)"
    for _ in 0..<16 { values = "\(values), \(values)" }
    return "SELECT \(values)"
}

/// The error that something throws.
func thrown(_ body: () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}

/// The `PostgresError` that something throws.
func postgresError(_ body: () async throws -> Void) async throws -> PostgresError {
    try #require(await thrown(body) as? PostgresError)
}
