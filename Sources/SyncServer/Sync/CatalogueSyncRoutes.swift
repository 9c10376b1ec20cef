import Compression
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// The changes since a cursor of all venues that a key may read.
struct CatalogueSyncRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let executor: LongPollExecutor
    let responses: CatalogueSyncResponses

    func add(to routes: RouteGroups) {
        routes.onEventLoop.get("sync", use: self.sync)
    }

    /// `GET /sync?since=&wait=&limit=`
    @Sendable func sync(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        // The key is checked before the parameters, so that problems with them are reported to holders of a key only.
        try await self.executor.response(context) {
            try await self.authorizer.keyHolder(request, context)
        } _: { principal, mayWait in
            try await self.outcome(of: request, context, principal, mayWait: mayWait)
        }
    }

    private func outcome(
        of request: Request, _ context: AppRequestContext, _ principal: Principal, mayWait: Bool
    ) async throws -> LongPollExecutor.Outcome {
        let parameters = QueryValues(request)
        for name in ["level", "to"] where !parameters.all(name).isEmpty {
            throw Problem.parameter(name, "It is supported for a single venue only.")
        }
        // The two above may be there without a value.
        try parameters.refuseUnknown(except: ["since", "wait", "limit", "level", "to"])
        let since = try parameters.text("since").map { token in
            guard let cursor = CatalogueCursor(token) else {
                throw StoreError.malformedCursor("It is truncated or invalid, or it is a cursor of a single venue.")
            }
            return cursor
        }
        let limit = try parameters.limit(default: 5_000, max: 50_000)
        let timeout = try parameters.waitTimeout()
        // Another node may have sent a newer state than is known here.
        if since?.isAhead(of: self.readModel.cataloguePosition) ?? false { try await self.readModel.refresh() }
        var query = try await self.query(request, context, since: since, limit: limit)
        // Another node may know of a change of permissions already. Without this refresh, venues could disappear and come back
        // while the client changes between nodes.
        if let since, since.page == nil, let held = since.holding?.venues, held != query.request.readable {
            try await self.readModel.refresh()
            query = try await self.query(request, context, since: since, limit: limit)
        }
        let cached = try await self.responses.response(
            to: query.request, generation: query.generation, encoding: .preferred(by: request.headers[.acceptEncoding]))
        if let timeout, timeout > .zero, !cached.hasChanges, mayWait {
            return .noChange(
                .init(
                    subject: .anyChange, number: query.request.state.changeNumber, timeout: timeout,
                    key: principal.keyID))
        }
        let response = try await cached.response(for: request).measured(for: request)
        return .response(timeout == nil ? response : response.cached("no-store", isPublic: false))
    }

    private struct Query {
        let request: CatalogueRequest
        let generation: Int
    }

    /// The request, applied to the present state of all venues.
    private func query(
        _ request: Request, _ context: AppRequestContext, since: CatalogueCursor?, limit: Int
    ) async throws -> Query {
        // Earlier decisions were about an earlier state.
        context.accessDecisions.removeAll()
        let generation = self.readModel.generation
        let principal = try await self.authorizer.keyHolder(request, context)
        try await self.readModel.ensureFresh()
        let state = self.readModel.catalogue
        let readable = state.readable(by: principal)
        context.accessDecisions.add {
            guard self.readModel.changeNumber != state.changeNumber else { return }
            let now = self.readModel.catalogue.readable(by: principal)
            guard readable.subtracting(now).isEmpty else { throw StoreError.historyChanged }
        }
        return Query(
            request: CatalogueRequest(state: state, readable: readable, since: since, limit: limit),
            generation: generation)
    }
}

extension CatalogueCursor {
    fileprivate func isAhead(of position: Int64) -> Bool {
        self.holding?.checkpoint.position ?? 0 > position || self.page?.to.position ?? 0 > position
    }
}

extension CatalogueState {
    /// The venues that `GET /venues` lists.
    fileprivate func readable(by principal: Principal) -> VenueSet {
        switch principal {
        case .anonymous, .unknownKey: VenueSet()
        case .key(let key): self.readable(of: key.venues)
        case .admin: self.readable(of: nil)
        }
    }
}
