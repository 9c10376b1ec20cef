import Hummingbird
import RevisionStore
import SyncModel

/// Liveness and readiness, for load balancers and monitoring.
struct HealthRoutes: Sendable {
    let readModel: ReadModel
    let readiness: Readiness
    let database: DatabaseHealthCheck

    func add(to routes: RouteGroups) {
        routes.open.get("health", use: self.health)
        routes.open.get("ready", use: self.ready)
    }

    /// `GET /health`: the process responds.
    @Sendable func health(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try Response.json(["status": "ok"]).cached("no-store", isPublic: true)
    }

    /// `GET /ready`: requests may be sent here, because the database responds and is complete, the state that is known here is recent, and the server is not shutting down.
    @Sendable func ready(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard !self.readiness.isDraining else {
            throw Problem.shuttingDown
        }
        guard await self.database.isHealthy() else {
            throw Problem.databaseUnreachable
        }
        do {
            try await self.readModel.ensureFresh()
            try self.readModel.requireConfirmation(forPublic: false)
        } catch StoreError.incompleteDatabase {
            throw Problem.databaseIncomplete
        } catch {
            throw Problem.databaseUnreadable
        }
        return try Response.json(["status": "ready"]).cached("no-store", isPublic: true)
    }
}
