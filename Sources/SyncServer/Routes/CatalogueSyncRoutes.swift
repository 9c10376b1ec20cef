import Compression
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What changed since, over all venues that a key may read.
struct CatalogueSyncRoutes {
    let live: Live
    let gate: Gate

    func add(to router: Router<VenueContext>) {
        router.get("sync", use: self.sync)
    }

    /// `GET /sync?since=&wait=&limit=`
    @Sendable func sync(_ request: Request, _ context: VenueContext) async throws -> Response {
        _ = try await self.gate.known(request)  // who may ask nothing is not told what is wrong with it
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
        let caller = try await self.gate.known(request)
        try await self.live.node.settle()
        let state = self.live.node.catalogue
        let rendition = try await self.live.catalogueReplies.reply(
            to: CatalogueRequest(state: state, readable: state.readable(by: caller), since: since, limit: limit),
            in: .preferred(by: request.headers[.acceptEncoding]), from: self.live.node)
        let response = rendition.response(for: request)
        guard let wait else { return response }
        guard rendition.isNews || context.wait.isOver else {
            throw NothingYet(subject: .anything, news: state.news, patience: wait)
        }
        return response.cached("no-store", isPublic: false)
    }
}

extension CatalogueCursor {
    fileprivate func isAhead(of position: Int64) -> Bool {
        self.holding?.mark.position ?? 0 > position || self.page?.to.position ?? 0 > position
    }
}

extension CatalogueState {
    /// As `GET /venues` lists them.
    fileprivate func readable(by caller: Caller) -> VenueSet {
        switch caller {
        case .nobody, .stranger: VenueSet()
        case .key(let key): self.readable(of: key.venues)
        case .admin: self.readable(of: nil)
        }
    }
}
