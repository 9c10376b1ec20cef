import Foundation
import HTTPTypes
import Postgres
import RevisionStore
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct ReadinessTests {
    @Test func `readiness: a draining server is healthy but not ready`() async throws {
        let settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        try await Harness.run(settings: settings) { harness in
            #expect(try await harness.send(.get, "/ready", key: nil).status == .ok)
            settings.readiness.drain()
            let response = try await harness.send(.get, "/ready", key: nil)
            #expect(try response.problem(503).type == "/problems/unavailable")
            #expect(response.headers[.retryAfter] != nil)
            #expect(try await harness.send(.get, "/health", key: nil).status == .ok)
            // A draining server still answers requests.
            #expect(try await harness.send(.get, "/venues").status == .ok)
        }
    }

    @Test func `readiness: a server without its database is not ready`() async throws {
        let pool = ConnectionPool(ConnectionConfiguration(url: "postgresql://nobody@127.0.0.1:1/nothing"))
        try await Harness.run(store: RevisionStore(pool: pool)) { harness async throws in
            #expect(try await harness.send(.get, "/ready", key: nil).problem(503).type == "/problems/unavailable")
            #expect(try await harness.send(.get, "/health", key: nil).status == .ok)
            #expect(try await harness.send(.get, "/metrics", key: nil).text.contains("\nvenue_database_up 0\n"))
        }
        await pool.close()
    }

    @Test func `health check gives up on a slow database and is shared by all callers`() async throws {
        let pool = ConnectionPool(TestDatabase.current.configuration, size: 1)
        let pulse = DatabaseHealthCheck(store: RevisionStore(pool: pool), timeout: .milliseconds(50))
        try await pool.withConnection { _ in
            let responses = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 { group.addTask { await pulse.isHealthy() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(responses == [Bool](repeating: false, count: 20))
            #expect(pool.waitingCount == 1)
        }
        // The query succeeds as soon as it gets the connection.
        try await eventually("the database is healthy") { await pulse.isHealthy() }
        await pool.close()
    }
}
