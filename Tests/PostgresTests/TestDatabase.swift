import Postgres
import TestSupport

/// A fresh, empty database for a test.
func testDatabase() async throws -> ConnectionConfiguration {
    try await TestCluster.shared.emptyDatabase()
}
