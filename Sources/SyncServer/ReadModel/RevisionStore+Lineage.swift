package import Logging
package import RevisionStore

extension RevisionStore {
    /// Renews the epochs of all venues if the database is another copy of its history, and logs the outcome.
    package func checkLineage(logger: Logger) async throws {
        switch try await self.checkLineage() {
        case .unchanged, .replica: break
        case .renewed(venues: 0), .promoted(venues: 0): break
        case .renewed(let venues):
            logger.notice("The database is another copy of its history", metadata: ["venues.renewed": "\(venues)"])
        case .promoted(let venues):
            logger.notice(
                "The database was promoted; cursors stay valid unless they name a lost revision",
                metadata: ["venues.renewed": "\(venues)"])
        case .unknown:
            logger.warning(
                "PostgreSQL does not reveal its system identifier; after a restore, renew the epochs of the venues by hand"
            )
        }
    }
}
