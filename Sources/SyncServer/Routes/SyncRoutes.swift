import Compression
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// The changes of a venue since a cursor: the request that map apps poll.
///
/// Most polls do not get here: their response is kept, and sent by an ``ImmediateResponder``.
struct SyncRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let executor: LongPollExecutor
    let responses: SyncResponses
    /// The responses for an ``ImmediateResponder``.
    let kept: RequestCache

    private static let path = "/venues/{venue}/sync"

    func add(to routes: RouteGroups) {
        routes.onEventLoop.get("\(Self.path)", use: self.sync)
    }

    /// `GET /venues/{venue}/sync?since=&level=&to=&limit=&wait=&form=`
    @Sendable func sync(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try await self.executor.response(context) {
            try await self.authorizer.reader(request, context)
        } _: { access, mayWait in
            try await self.outcome(of: request, context, access, mayWait: mayWait)
        }
    }

    /// How often a request is repeated because the revision that it was applied to was pruned meanwhile.
    private static let attempts = 5

    private func outcome(
        of request: Request, _ context: AppRequestContext, _ access: ReadAccess, mayWait: Bool
    ) async throws -> LongPollExecutor.Outcome {
        let parameters = QueryValues(request)
        try parameters.refuseUnknown(except: ["since", "level", "to", "limit", "wait", "form"])
        var query = try SyncQuery(parameters, of: access.venue, sealedBy: self.readModel.cursorSeal)
        let timeout = try parameters.waitTimeout()
        if query.isAhead { query = try await self.refreshed(query, request, context) }
        for _ in 1..<Self.attempts {
            do {
                return try await self.outcome(of: query, access, timeout, request, mayWait: mayWait)
            } catch let error as StoreError where error.invalidatesHead(of: query.venue) {
                query = try await self.refreshed(query, request, context)
            }
        }
        return try await self.outcome(of: query, access, timeout, request, mayWait: mayWait)
    }

    /// The same query, applied to the present state of the venue.
    private func refreshed(
        _ query: SyncQuery, _ request: Request, _ context: AppRequestContext
    ) async throws -> SyncQuery {
        try await self.readModel.refresh()
        let venue = try await self.authorizer.reader(request, context).venue
        return query.applied(to: venue, sealedBy: self.readModel.cursorSeal)
    }

    private func outcome(
        of query: SyncQuery, _ access: ReadAccess, _ timeout: Duration?, _ request: Request, mayWait: Bool
    ) async throws -> LongPollExecutor.Outcome {
        do {
            guard query.isOfThisHistory else { throw StoreError.historyLost }
            let cached = try await self.responses.response(
                to: query, generation: access.generation, encoding: .preferred(by: request.headers[.acceptEncoding]))
            guard let timeout else {
                // Under the version from before anything was read.
                if let version = self.readModel.unchanged(access.version), case .encoded(let encoded) = cached {
                    self.kept.keep(encoded, for: request, to: Self.path, at: version)
                }
                return .response(try await cached.response(for: request).measured(for: request))
            }
            if !cached.hasChanges, query.to == nil, mayWait, timeout > .zero {
                let wait = LongPolls.Wait(
                    subject: .venue(query.venue.id), number: query.venue.changeNumber, timeout: timeout,
                    key: access.principal.keyID)
                if let version = self.readModel.unchanged(access.version) {
                    self.kept.keep(wait, for: request, to: Self.path, at: version)
                }
                return .noChange(wait)
            }
            return .response(
                try await cached.response(for: request).cached("no-store", isPublic: false).measured(for: request))
        } catch let error as StoreError where error.invalidatesCursor(of: query.venue) {
            return .response(try await self.startOver(query))
        }
    }

    /// A problem with what a client needs to start over: the digests to end with, and the address of each level.
    private struct StartOverProblem: Encodable {
        struct Level: Encodable {
            @OrNull var level: FeatureID?
            let digest: IMDF.Digest
            let href: String

            enum CodingKeys: String, CodingKey {
                case digest, href
                case level = "level_id"
            }
        }

        let type: String
        let title: String
        let status: Int
        let detail: String?
        let to: Int64
        let cursor: Cursor
        let levels: [Level]
    }

    private func startOver(_ query: SyncQuery) async throws -> Response {
        let venue = query.venue
        let (to, cursor, levels) = try await self.readModel.revisions(of: venue).stateToStartOver(
            of: venue, levels: query.levels)
        let problem = Problem.historyLost
        let response = StartOverProblem(
            type: problem.type, title: problem.title, status: problem.status, detail: problem.detail, to: to,
            cursor: query.seal.sealed(cursor),
            levels: levels.map { state in
                let level = state.level?.description ?? LevelSelection.Name.venueWide.description
                return .init(
                    level: state.level, digest: state.digest,
                    href: "/venues/\(venue.key)/revisions/\(to)/features?level=\(level)"
                        + "&epoch=\(EpochToken(venue.epoch))")
            })
        return try Response.json(response, status: .gone, type: "application/problem+json")
            .cached("no-store", isPublic: false)
    }
}
