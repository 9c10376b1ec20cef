import Hummingbird
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel

/// Venues: what they are now, and how they are set.
struct VenueRoutes {
    let live: Live
    let authorizer: Authorizer

    var store: RevisionStore { self.live.node.store }

    func add(to router: Router<VenueContext>) {
        router.get("venues", use: self.list)
        router.get("venues/{venue}", use: self.show)
        router.patch("venues/{venue}", use: self.change)
        router.delete("venues/{venue}", use: self.remove)
        router.post("venues/{venue}/prune", use: self.prune)
        router.post("venues/{venue}/epoch", use: self.renewEpoch)
    }

    /// `GET /venues?limit=&after=`: those that the key may read, by key, out of memory.
    @Sendable func list(_ request: Request, _ context: VenueContext) async throws -> Response {
        let caller = try await self.authorizer.known(request, context)
        let query = QueryValues(request)
        let limit = try query.limit(default: 1_000, most: 10_000)
        let after = try query.text("after").map { text in
            guard let key = VenueKey(text) else { throw Problem.parameter("after", "It takes a venue's key.") }
            return key
        }
        try await self.live.node.ensureFresh()
        var page = JSONPage()
        let venues = self.live.node.venues(after: after, limit: limit + 1) { venue in
            venue.settings.public || caller.sees(venue.key)
        }
        var last = after
        for (venue, entry) in zip(venues, try await self.live.venues.entries(for: Array(venues.prefix(limit)))) {
            // What was published and pruned a moment ago is looked at anew; what was deleted is not there.
            if let json = try await self.json(of: venue, entry, for: caller), !page.append(encoded: json) { break }
            last = venue.key
        }
        let isLast = last == venues.last?.key || venues.isEmpty
        let next =
            isLast ? nil : last.map { request.address(with: ["after": "\($0)", "limit": "\(limit)"], at: "/venues") }
        return try page.response("venues", beside: NextPage(next: next)).cached("no-cache", isPublic: false)
    }

    /// `GET /venues/{venue}`
    @Sendable func show(_ request: Request, _ context: VenueContext) async throws -> Response {
        var (venue, caller) = try await self.authorizer.readable(request, context)
        // An admin sees the settings, too.
        if venue.settings.public { caller = try await self.authorizer.caller(of: request) }
        let showsSettings = caller.isAdmin(of: venue.key)
        return try await self.answer(for: venue, to: caller)
            .cached("no-cache", isPublic: venue.settings.public && !showsSettings)
    }

    /// The venue as it is now.
    private func answer(for venue: VenueRecord, to caller: Principal) async throws -> Response {
        let entry = try await self.live.venues.entries(for: [venue]).first ?? nil
        guard let json = try await self.json(of: venue, entry, for: caller) else { throw StoreError.historyChanged }
        return Response.bytes(json, type: "application/json")
    }

    /// Publications and prunes that may come in between, again and again, before a reader gives up.
    private static let tries = 5

    /// The venue as JSON; nil when it is not there any more.
    private func json(
        of venue: VenueRecord, _ entry: VenueListing.Entry?, for caller: Principal
    ) async throws -> [UInt8]? {
        var (venue, entry) = (venue, entry)
        for _ in 0..<Self.tries where entry == nil {
            if self.live.node.known(venue.key)?.venue == venue { try await self.live.node.refresh() }
            guard let known = self.live.node.known(venue.key), !known.isDeleted, known.venue.head > 0 else {
                return nil
            }
            venue = known.venue
            guard venue.settings.public || caller.sees(venue.key) else { return nil }
            entry = try await self.live.venues.entries(for: [venue]).first ?? nil
        }
        return entry?.json(withSettings: caller.isAdmin(of: venue.key))
    }

    /// What `PATCH` may carry. A member that is absent stays as it is; null resets what can be without a value.
    private struct SettingsMembers: Decodable {
        let members: [String: JSONValue]

        init(from decoder: any Decoder) throws {
            self.members = try [String: JSONValue](from: decoder)
        }
    }

    /// `PATCH /venues/{venue}` (admin)
    @Sendable func change(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, authorization) = try await self.authorizer.changeable(request, context, by: .admin)
        let members = try await request.json(SettingsMembers.self).members
        var change = SettingsChange()
        for (name, value) in members {
            guard let setting = VenueSetting(rawValue: name) else {
                throw Problem.body("there is no setting “\(name.prefix(100))”")
            }
            guard setting.accepts(value), setting != .timeZone || value.string.map(TimeZoneName.isKnown) ?? true else {
                throw Problem.body("“\(name)” takes \(setting.valueDescription)")
            }
            change[setting] = value
        }
        try await self.store.change(change, of: venue, by: authorization)
        return try await self.answer(afterChangeOf: venue.key)
    }

    /// To an admin of the venue: the venue as it is now; of one without a revision, its settings.
    func answer(afterChangeOf key: VenueKey) async throws -> Response {
        let changed = try await self.store.venue(key)
        guard changed.head > 0 else { return try Response.json(changed.settings).cached("no-store", isPublic: false) }
        // Only admins of the venue come here.
        return try await self.answer(for: changed, to: .admin).cached("no-store", isPublic: false)
    }

    private struct Removal: Decodable {
        let confirm: String?
    }

    /// `DELETE /venues/{venue}` `{"confirm": key}` (admin): a tombstone stays.
    @Sendable func remove(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, authorization) = try await self.authorizer.changeable(request, context, by: .admin)
        guard try await request.json(Removal.self).confirm == venue.key.description else {
            throw Problem(
                "confirm", status: 400, title: "This deletes every revision of the venue",
                detail: "Send {\"confirm\": \"\(venue.key)\"} to do it.")
        }
        try await self.store.delete(venue, by: authorization)
        return Response(status: .noContent)
    }
}
