import Hummingbird
import RevisionStore
import SyncModel

/// For machines that watch the server.
struct HealthRoutes {
    let node: Node
    let readiness: Readiness
    let database: DatabaseHealthCheck

    func add(to router: Router<VenueContext>) {
        router.get("health", use: self.health)
        router.get("ready", use: self.ready)
    }

    /// `GET /health`: the process answers.
    @Sendable func health(_ request: Request, _ context: VenueContext) async throws -> Response {
        try Response.json(["status": "ok"]).cached("no-store", isPublic: true)
    }

    /// `GET /ready`: the database answers too, all of it is there, and the server is not about to stop, so requests may be sent here.
    @Sendable func ready(_ request: Request, _ context: VenueContext) async throws -> Response {
        guard !self.readiness.isDraining else {
            throw Problem("unavailable", status: 503, title: "The server is about to stop")
        }
        guard await self.database.beats() else {
            throw Problem("unavailable", status: 503, title: "The database cannot be reached")
        }
        do {
            try await self.node.ensureFresh()
        } catch StoreError.incompleteDatabase {
            throw Problem.incompleteDatabase
        } catch {
            throw Problem("unavailable", status: 503, title: "The database cannot be read")
        }
        return try Response.json(["status": "ready"]).cached("no-store", isPublic: true)
    }
}
