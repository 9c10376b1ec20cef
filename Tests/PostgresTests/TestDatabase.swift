import Postgres
import TestSupport

/// A fresh database for a test, with nothing in it.
func testDatabase() async throws -> ConnectionConfiguration {
    try await TestCluster.shared.emptyDatabase()
}
