import Compression
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// The changes of a venue since a cursor: the request that map apps poll.
///
/// Most polls do not get here: an ``ImmediateResponder`` responds to those that were sent before.
struct SyncRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let executor: LongPollExecutor
    let responses: SyncResponses

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

    private func outcome(
        of request: Request, _ context: AppRequestContext, _ access: ReadAccess, mayWait: Bool
    ) async throws -> LongPollExecutor.Outcome {
        let parameters = QueryValues(request)
        try parameters.refuseUnknown(except: ["since", "level", "to", "limit", "wait", "form"])
        let sent = try SyncQuery(parameters, of: access.venue, sealedBy: self.readModel.cursorSeal)
        let timeout = try parameters.waitTimeout()
        let query = sent.isAhead ? try await self.refreshed(sent, request, context) : sent
        return try await query.venue.readHead {
            try await self.outcome(of: query, access, timeout, request, mayWait: mayWait)
        }
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
            let key = SyncResponses.key(
                of: query, generation: access.generation,
                encoding: .preferred(by: request.headers[.acceptEncoding]))
            let cached = try await self.responses.response(to: query, key)
            guard let timeout else {
                self.keep(.response(to: key), for: request, access)
                return .response(try await cached.response(for: request).measured(for: request))
            }
            if !cached.hasChanges, query.to == nil, mayWait, timeout > .zero {
                let wait = LongPolls.Wait(
                    subject: .venue(query.venue.id), number: query.venue.changeNumber, timeout: timeout,
                    key: access.principal.keyID)
                self.keep(.wait(wait), for: request, access)
                return .noChange(wait)
            }
            return .response(
                try await cached.response(for: request).cached("no-store", isPublic: false).measured(for: request))
        } catch let error as StoreError where error.invalidatesCursor(of: query.venue) {
            return .response(try await self.startOver(query))
        }
    }

    /// Keeps what was found for the ``ImmediateResponder``, under the version of the read model from before anything was read.
    private func keep(_ finding: ResponseCache.Finding, for request: Request, _ access: ReadAccess) {
        guard let version = self.readModel.unchanged(access.version) else { return }
        self.responses.cache.keep(finding, for: request, to: Self.path, at: version)
    }

    /// What a client needs to start over: the digests to end with, and the address of each level.
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

        let to: Int64
        let cursor: Cursor
        let levels: [Level]
    }

    private func startOver(_ query: SyncQuery) async throws -> Response {
        let venue = query.venue
        let (to, cursor, levels) = try await self.readModel.revisions(of: venue).stateToStartOver(
            of: venue, levels: query.levels)
        let members = StartOverProblem(
            to: to, cursor: query.seal.sealed(cursor),
            levels: levels.map { state in
                let level = state.level?.description ?? LevelSelection.Name.venueWide.description
                return .init(
                    level: state.level, digest: state.digest,
                    href: "/venues/\(venue.key)/revisions/\(to)/features?level=\(level)"
                        + "&epoch=\(EpochToken(venue.epoch))")
            })
        return try Problem.historyLost.response(beside: members)
    }
}
