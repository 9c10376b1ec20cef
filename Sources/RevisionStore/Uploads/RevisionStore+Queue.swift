import Postgres
package import SyncModel

extension RevisionStore {
    /// The number of uploads in each state that is not final. States without uploads are omitted.
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

    /// The connections of the pool: the maximum, those in use, and the number of tasks that wait for one.
    package var connections: (limit: Int, inUse: Int, waiting: Int) {
        (self.pool.size, self.pool.inUseCount, self.pool.waitingCount)
    }
}
