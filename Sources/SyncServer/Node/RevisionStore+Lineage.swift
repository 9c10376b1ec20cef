package import Logging
package import RevisionStore

extension RevisionStore {
    /// Looks where the database is, and says what came of it.
    package func checkLineage(telling logger: Logger) async throws {
        switch try await self.checkLineage() {
        case .unchanged, .replica: break
        case .renewed(venues: 0): break
        case .renewed(let venues):
            logger.notice("The database is another copy of its history", metadata: ["venues.renewed": "\(venues)"])
        case .unknown:
            logger.warning(
                "PostgreSQL does not say which server it is; after a restore, renew the venues' epochs by hand")
        }
    }
}
