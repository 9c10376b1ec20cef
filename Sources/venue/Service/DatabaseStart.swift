import Logging
import Postgres
import RevisionStore
import ServiceLifecycle
import SyncServer

/// Waits for a database that cannot be used yet, because the primary is being replaced or because a setting is wrong. The process does
/// not end, so that whoever starts it needs no order of starts.
struct DatabaseStart: Sendable {
    let store: RevisionStore
    let logger: Logger

    /// Checks that the database can be used, and renews the epochs if it has another lineage.
    ///
    /// - Returns: Why the database cannot be used at the moment; nil if it can.
    /// - Throws: `OlderSchema`, and whatever else waiting does not mend.
    private func attempt() async throws -> String? {
        do {
            try await Migrator.expectMigrated(self.store.pool)
            try await self.store.checkLineage(logger: self.logger)
            return nil
        } catch let error where RevisionStore.isOutage(error) {
            let reason = (error as? PostgresError)?.connectFailure
            return reason.map { "\(error): \($0)" } ?? "\(error)"
        }
    }

    /// Makes one attempt, and logs the reason if it fails.
    func isPossible() async throws -> Bool {
        guard let reason = try await self.attempt() else { return true }
        self.log(reason)
        return false
    }

    /// Returns when the database can be used, or on shutdown.
    func wait() async throws {
        var last: String?
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            guard let reason = try await self.attempt() else {
                return self.logger.notice("The database can be used now")
            }
            // The same reason is logged once.
            if let last, last != reason { self.log(reason) }
            last = reason
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(500)) }
        }
    }

    private func log(_ reason: String) {
        self.logger.error(
            "Waiting for the database, which cannot be used yet",
            metadata: ["reason": "\(reason)", "database": "\(self.store.pool.configuration)"])
    }
}

/// Lets a node that was started without its database read from it as soon as that is possible.
struct LateStart: Service {
    let start: DatabaseStart
    let readModel: ReadModel

    func run() async throws {
        try await self.start.wait()
        self.readModel.resume()
        // A service that returns ends its group.
        try? await gracefulShutdown()
    }
}

/// Starts a service when the database can be used.
struct Postponed<Content: Service>: Service {
    let start: DatabaseStart
    let content: Content

    func run() async throws {
        try await self.start.wait()
        guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
        try await self.content.run()
    }
}
