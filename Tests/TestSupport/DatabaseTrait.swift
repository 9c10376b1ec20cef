import IMDF
package import Postgres
package import RevisionStore
import SyncModel
import SyncServer
package import Testing

/// Gives every test of a suite a database of its own: `@Suite(.database)`, then `TestDatabase.current`.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    /// Tests wait on the database much of the time, and two cores are all there are: four at once.
    private static let permits = FairSemaphore<Int>(permits: 5)

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await Self.permits.withPermit(for: 0) {
            let database = TestDatabase(configuration: try await TestCluster.shared.freshDatabase())
            do {
                // A copy of the template is another database than that was.
                try await database.store.checkLineage()
                try await TestDatabase.$bound.withValue(database) { try await function() }
                await database.pool.close()
            } catch {
                await database.pool.close()
                throw error
            }
        }
    }
}

extension Trait where Self == DatabaseTrait {
    package static var database: DatabaseTrait { DatabaseTrait() }
}

extension Authorization {
    /// Of a caller that nobody can revoke.
    package static let ops = Authorization(key: nil, author: "ops", role: .admin, venue: nil)
}

/// A migrated database that only one test knows.
package struct TestDatabase: Sendable {
    package let configuration: ConnectionConfiguration
    package let pool: ConnectionPool

    init(configuration: ConnectionConfiguration) {
        self.configuration = configuration
        // However slow the machine is, nobody is refused for it.
        self.pool = ConnectionPool(configuration.forStore(lockTimeout: .seconds(60)), size: 6)
    }

    @TaskLocal static var bound: TestDatabase?

    /// The test's own. Outside of a suite with `.database` there is none.
    package static var current: TestDatabase {
        guard let bound else { preconditionFailure("the suite needs the trait .database") }
        return bound
    }

    package var store: RevisionStore { RevisionStore(pool: self.pool) }
}
