import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What changed since, over all venues that a key may read.
struct CatalogueSyncRoutes {
    let store: RevisionStore
    let gate: Gate
    let catalogue: CatalogueMirror

    func add(to router: Router<VenueContext>) {
        router.get("sync", use: self.sync)
    }

    /// `GET /sync?since=&wait=&limit=`
    @Sendable func sync(_ request: Request, _ context: VenueContext) async throws -> Response {
        let caller = try await self.gate.known(request)
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
        _ = try query.number("wait", in: 0...60)  // an answer at once is always a right one
        let state = try await self.catalogue.current()
        let changes = try await self.store.changeSet(
            for: CatalogueRequest(state: state, readable: state.readable(by: caller), since: since, limit: limit))
        return try Response.bytes(changes.json(), type: "application/json")
            .cached(changes.freshness, isPublic: false).tagged(changes.tag, for: request)
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

extension CatalogueChangeSet {
    /// Pages are not kept longer: what may be read is looked at for each of them.
    fileprivate var freshness: String {
        let isNews = !self.venues.isEmpty || !self.gone.isEmpty || !self.isComplete
        return isNews ? "max-age=60" : "max-age=2, stale-while-revalidate=60"
    }

    /// Names what the answer says: equal tags, equal answers to one address.
    fileprivate var tag: String {
        let venues = self.venues.map { reply in
            let about = [reply.about.language, reply.about.timeZone, reply.about.country].map { $0 ?? "" }
            return "\(reply.venue) \(reply.from ?? 0) \(reply.to) \(reply.isComplete) \(about.joined(separator: " "))"
        }
        let gone = self.gone.map(\.description)
        let text = (["\(self.cursor) \(self.to)"] + venues + [""] + gone).joined(separator: "\n")
        return String(Digest(of: text.utf8).hex.prefix(24))
    }
}
