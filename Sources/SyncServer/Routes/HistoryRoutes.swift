import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Where a venue's history ends at its far side, and whether it is still the same one.
extension VenueRoutes {
    private struct PruneRequest: Decodable {
        let keepRevisions: Double?
        let dryRun: Bool?

        enum CodingKeys: String, CodingKey {
            case keepRevisions = "keep_revisions"
            case dryRun = "dry_run"
        }
    }

    /// `POST /venues/{venue}/prune` `{"keep_revisions", "dry_run"}` (admin): what only older revisions needed goes.
    @Sendable func prune(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, authorization) = try await self.authorizer.changeable(request, context, by: .admin)
        let wish = try await request.json(PruneRequest.self)
        guard let count = wish.keepRevisions, VenueSetting.keepRevisions.accepts(.number(count)) else {
            throw Problem.body("“keep_revisions” takes a whole number from 1")
        }
        let pruning = try await self.store.prune(
            venue, keeping: Int(count), dryRun: wish.dryRun ?? false, by: authorization)
        return try Response.json(pruning).cached("no-store", isPublic: false)
    }

    /// `POST /venues/{venue}/epoch` (admin): every cursor is answered with 410, and how to go on without fetching everything.
    @Sendable func renewEpoch(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, authorization) = try await self.authorizer.changeable(request, context, by: .admin)
        try await self.store.renewEpoch(of: venue, by: authorization)
        return try await self.answer(afterChangeOf: venue.key)
    }
}
