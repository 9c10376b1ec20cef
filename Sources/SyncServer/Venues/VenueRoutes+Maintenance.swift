import Hummingbird
import IMDF
import RevisionStore
import SyncModel

extension VenueRoutes {
    private struct PruneRequest: Decodable {
        let keepRevisions: Double?
        let dryRun: Bool?

        enum CodingKeys: String, CodingKey {
            case keepRevisions = "keep_revisions"
            case dryRun = "dry_run"
        }
    }

    /// `POST /venues/{venue}/prune` `{"keep_revisions", "dry_run"}` (admin): deletes older revisions.
    @Sendable func prune(_ request: Request, _ context: VenueAdminContext) async throws -> Response {
        try QueryValues(request).refuseUnknown(except: [])
        let prune = try await request.json(PruneRequest.self, members: ["keep_revisions", "dry_run"])
        guard let count = prune.keepRevisions, VenueSetting.keepRevisions.accepts(.number(count)) else {
            throw Problem.body("“keep_revisions” must be a whole number from 1")
        }
        let pruning = try await self.readModel.store.prune(
            context.venue, keeping: Int(count), dryRun: prune.dryRun ?? false, by: context.authorization)
        return try Response.json(pruning).cached("no-store", isPublic: false)
    }

    /// `POST /venues/{venue}/epoch` (admin): from now on every cursor is refused with 410 and the data to start over.
    @Sendable func renewEpoch(_ request: Request, _ context: VenueAdminContext) async throws -> Response {
        try await self.readModel.store.renewEpoch(of: context.venue, by: context.authorization)
        return try await self.response(afterChangeOf: context.venue.key)
    }
}
