import Hummingbird
import RevisionStore
import SyncModel

/// The audit log, for administrators of every venue.
struct AuditRoutes: Sendable {
    let store: RevisionStore

    func add(to routes: RouteGroups) {
        routes.admins.get("audit", use: self.list)
    }

    /// `GET /audit?venue=&before=&limit=`: the newest first.
    @Sendable func list(_ request: Request, _ context: AdminContext) async throws -> Response {
        let query = QueryValues(request)
        try query.refuseUnknown(except: ["venue", "before", "limit"])
        let limit = try query.limit(default: 100, max: 1_000)
        let venue = try query.text("venue").map { text in
            guard let key = VenueKey(text) else { throw Problem.parameter("venue", "It must be a venue key.") }
            return key
        }
        let before = try query.number("before", in: 1...Int64.max)
        let entries = try await self.store.auditEntries(before: before, of: venue, limit: limit + 1)
        var page = JSONPage()
        for entry in entries.prefix(limit) { guard try page.append(entry) else { break } }
        let next =
            page.count == entries.count
            ? nil
            : request.address(with: ["before": "\(entries[page.count - 1].id)", "limit": "\(limit)"], at: "/audit")
        return try page.response("entries", beside: NextPage(next: next)).cached("no-store", isPublic: false)
    }
}
