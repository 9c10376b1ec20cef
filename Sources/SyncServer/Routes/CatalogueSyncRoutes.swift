import Compression
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What changed since, over all venues that a key may read.
struct CatalogueSyncRoutes {
    let live: Live
    let authorizer: Authorizer

    func add(to router: Router<VenueContext>) {
        router.get("sync", use: self.sync)
    }

    /// `GET /sync?since=&wait=&limit=`
    @Sendable func sync(_ request: Request, _ context: VenueContext) async throws -> Response {
        _ = try await self.authorizer.known(request, context)  // who may ask nothing is not told what is wrong with it
        let query = QueryValues(request)
        for name in ["level", "to"] where !query.all(name).isEmpty {
            throw Problem.parameter(name, "It is for one venue; what leads over all of them takes none.")
        }
        let since = try query.text("since").map { token in
            guard let cursor = CatalogueCursor(token) else {
                throw StoreError.malformedCursor("It was cut short or made up, or is that of one venue.")
            }
            return cursor
        }
        let limit = try query.limit(default: 5_000, most: 50_000)
        let wait = try query.wait()
        // Who has been at another node may hold more than is known here.
        if since?.isAhead(of: self.live.node.position) ?? false { try await self.live.node.refresh() }
        var asked = try await self.asked(by: request, context, since: since, limit: limit)
        // Another node may have heard earlier who may read what: looked at once, so that nothing comes and goes with the nodes.
        if let since, since.page == nil, let held = since.holding?.venues, held != asked.request.readable {
            try await self.live.node.refresh()
            asked = try await self.asked(by: request, context, since: since, limit: limit)
        }
        return try await self.answer(to: asked, waiting: wait, for: request, context)
    }

    private struct Asked {
        let request: CatalogueRequest
        let history: Int
    }

    /// What is asked for, of what is known now.
    private func asked(
        by request: Request, _ context: VenueContext, since: CatalogueCursor?, limit: Int
    ) async throws -> Asked {
        // What was decided of an earlier state does not hold for this one.
        context.decisions.removeAll()
        let history = self.live.node.histories
        let caller = try await self.authorizer.known(request, context)
        try await self.live.node.ensureFresh()
        let state = self.live.node.catalogue
        let readable = state.readable(by: caller)
        context.decisions.add {
            guard self.live.node.news != state.changeNumber else { return }
            let now = self.live.node.catalogue.readable(by: caller)
            guard readable.subtracting(now).isEmpty else { throw StoreError.historyChanged }
        }
        return Asked(
            request: CatalogueRequest(
                state: state, readable: readable, since: since, limit: limit),
            history: history)
    }

    private func answer(
        to asked: Asked, waiting wait: Duration?, for request: Request, _ context: VenueContext
    ) async throws -> Response {
        let node = self.live.node
        let reply = try await self.live.catalogueReplies.reply(
            to: asked.request, of: asked.history, in: .preferred(by: request.headers[.acceptEncoding]), from: node)
        if let wait, !reply.isNews, !context.wait.isOver {
            throw NoChangeYet(subject: .anything, news: asked.request.state.changeNumber, patience: wait)
        }
        let response = try await reply.response(for: request).measured(for: request)
        return wait == nil ? response : response.cached("no-store", isPublic: false)
    }
}

extension CatalogueCursor {
    fileprivate func isAhead(of position: Int64) -> Bool {
        self.holding?.mark.position ?? 0 > position || self.page?.to.position ?? 0 > position
    }
}

extension CatalogueState {
    /// As `GET /venues` lists them.
    fileprivate func readable(by caller: Principal) -> VenueSet {
        switch caller {
        case .nobody, .stranger: VenueSet()
        case .key(let key): self.readable(of: key.venues)
        case .admin: self.readable(of: nil)
        }
    }
}
