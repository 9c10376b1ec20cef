import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// Rolling back a venue, or some of its levels.
struct RollbackRoutes: Sendable {
    let revisions: RevisionReader
    let authorizer: Authorizer

    func add(to routes: RouteGroups) {
        routes.publishers.post("venues/{venue}/rollback", use: self.rollBack)
    }

    private struct RollbackBody: Decodable {
        let to: Int64?
        let levels: [String]?
        let message: String?
        let dryRun: Bool?
        let base: Int64?

        enum CodingKeys: String, CodingKey {
            case to, levels, message, base
            case dryRun = "dry_run"
        }

        func request() throws -> RollbackPlanner.Request {
            guard let target = self.to, target > 0 else { throw Problem.body("“to” must be the number of a revision") }
            return RollbackPlanner.Request(
                target: target, levels: try self.levels.map { try RollbackLevels($0) },
                message: try self.message.map { try QueryValues.checked($0, "message") }, base: self.base,
                isDryRun: self.dryRun ?? false)
        }
    }

    /// `POST /venues/{venue}/rollback` `{"to", "levels", "message", "dry_run", "base"}`: a new revision that is equal to an
    /// earlier one, for the whole venue or for these levels.
    @Sendable func rollBack(_ request: Request, _ context: PublisherContext) async throws -> Response {
        try QueryValues(request).refuseUnknown(except: [])
        let body = try await request.json(RollbackBody.self, members: ["to", "levels", "message", "dry_run", "base"])
        do {
            let rollback = RollbackPlanner(
                try body.request(), in: self.revisions,
                describer: ChangeDescriber(store: self.revisions.store, language: request.preferredLanguage))
            return try await Self.response(
                to: rollback.run(in: context.venue) {
                    let access = try await self.authorizer.writer(request, context.parent, .publish)
                    return (access.venue, access.authorization)
                }, in: context.venue.key)
        } catch let refusal as RollbackLevels.Refusal {
            throw Problem(refusal)
        }
    }

    private struct Plan: Encodable {
        let venue: VenueKey
        let from: Int64
        let restores: Int64
        @OrNull var levels: [FeatureID]?
        let changes: ChangeSummary
    }

    private static func response(to outcome: RollbackPlanner.Outcome, in venue: VenueKey) throws -> Response {
        switch outcome {
        case .published(let revision):
            var response = try Response.json(revision, status: .created).cached("no-store", isPublic: false)
                .varying(by: .acceptLanguage)
            response.headers[.location] = "/venues/\(venue)/revisions/\(revision.number)"
            return response
        case .planned(let preview):
            return try Response.json(
                Plan(
                    venue: venue, from: preview.head, restores: preview.target, levels: preview.levels,
                    changes: preview.changes)
            ).cached("no-store", isPublic: false).varying(by: .acceptLanguage)
        case .entangled(let entanglement, let target):
            return try EntanglementProblem.response(to: entanglement, target: target)
        }
    }
}

extension Problem {
    fileprivate init(_ refusal: RollbackLevels.Refusal) {
        self =
            switch refusal {
            case .empty: .body("“levels” needs at least one level; omit it to roll back the whole venue")
            case .venueWide:
                .body(
                    "“levels” cannot contain “venue”: the venue-wide part is rolled back with the whole venue"
                )
            case .malformed(let text): .body("“levels” takes ids and ordinal:<number>, not “\(text.prefix(100))”")
            case .unknown(let name, let head, let target):
                .body("“\(name)” is not a level of revision \(head) or of revision \(target)")
            }
    }
}
