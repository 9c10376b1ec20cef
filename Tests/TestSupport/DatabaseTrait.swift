import IMDF
package import Postgres
package import RevisionStore
import SyncModel
import SyncServer
package import Testing

/// Gives every test of a suite its own database: `@Suite(.database)`, then `TestDatabase.current`.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    /// Tests often wait for the database, so a few more than the two cores of CI run concurrently.
    private static let permits = FairSemaphore<Int>(permits: 5)

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await Self.permits.withPermit(for: 0) {
            let database = TestDatabase(configuration: try await TestCluster.shared.freshDatabase())
            do {
                // A copy of the template has another database identity.
                try await database.store.checkLineage()
                try await TestDatabase.$bound.withValue(database) { try await function() }
            } catch {
                // The test has failed; why is more important than that its database remains.
                try? await database.remove()
                throw error
            }
            try await database.remove()
        }
    }
}

extension Trait where Self == DatabaseTrait {
    package static var database: DatabaseTrait { DatabaseTrait() }
}

extension Authorization {
    /// The authorization of the administrator, which cannot be revoked.
    package static let ops = Authorization(key: nil, author: "ops", role: .admin, venue: nil)
}

/// A migrated database of one test.
package struct TestDatabase: Sendable {
    package let configuration: ConnectionConfiguration
    package let pool: ConnectionPool

    init(configuration: ConnectionConfiguration) {
        self.configuration = configuration
        // A slow machine must not cause refusals.
        self.pool = ConnectionPool(configuration.forStore(lockTimeout: .seconds(60)), size: 6)
    }

    fileprivate func remove() async throws {
        await self.pool.close()
        try await TestCluster.shared.remove(self.configuration)
    }

    @TaskLocal static var bound: TestDatabase?

    /// The database of the running test, whose suite needs the trait `.database`.
    package static var current: TestDatabase {
        guard let bound else { preconditionFailure("the suite needs the trait .database") }
        return bound
    }

    package var store: RevisionStore { RevisionStore(pool: self.pool) }
}
