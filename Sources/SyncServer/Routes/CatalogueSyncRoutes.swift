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
        _ = try await self.gate.known(request)
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
        let (changes, news) = try await self.changes(since, limit: limit, for: request)
        guard let wait else { return try self.response(with: changes, to: request, keeping: changes.freshness) }
        guard changes.isNews || context.wait.isOver else {
            throw NothingYet(subject: .anything, news: news, patience: wait)
        }
        return try self.response(with: changes, to: request, keeping: "no-store")
    }

    /// What there is to say now to whoever asks, and the number of the news that it takes account of.
    private func changes(
        _ since: CatalogueCursor?, limit: Int, for request: Request
    ) async throws -> (CatalogueChangeSet, news: Int64) {
        let caller = try await self.gate.known(request)
        try await self.live.node.settle()
        let state = self.live.node.catalogue
        let request = CatalogueRequest(state: state, readable: state.readable(by: caller), since: since, limit: limit)
        return (
            try await self.live.node.store.changeSet(for: request, from: { self.live.node.reader(of: $0) }), state.news
        )
    }

    private func response(
        with changes: CatalogueChangeSet, to request: Request, keeping control: String
    ) throws -> Response {
        var body = try changes.json()
        var coding = ContentCoding.preferred(by: request.headers[.acceptEncoding])
        if body.count < ContentCoding.fewestBytes { coding = nil }
        if let coding { body = try coding.compressed(body, effort: .streamed) }
        var response = Response.bytes(body, type: "application/json")
        response.headers[.contentEncoding] = coding?.rawValue
        return response.cached(control, isPublic: false).tagged(changes.tag, for: request)
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
