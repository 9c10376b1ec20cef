import Postgres
package import SyncModel

extension RevisionStore {
    /// How many uploads are in each of the states that are not final. States without one are left out.
    ///
    /// - Complexity: O(*n*) in the number of uploads that are not finished.
    package func unfinishedUploads() async throws -> [Upload.State: Int] {
        let rows = try await self.pool.query(
            """
            SELECT state, count(*) FROM upload WHERE state IN ('received', 'processing', 'staged') GROUP BY state
            """
        ).decode((String, Int64).self)
        return Dictionary(
            rows.compactMap { state, count in Upload.State(rawValue: state).map { ($0, Int(count)) } },
            uniquingKeysWith: +)
    }

    /// Connections to the database: how many there may be, how many are lent, and how many requests wait for one.
    package var connections: (most: Int, lent: Int, waiting: Int) {
        (self.pool.size, self.pool.lentCount, self.pool.waitingCount)
    }
}
