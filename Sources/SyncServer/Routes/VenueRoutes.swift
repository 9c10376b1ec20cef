import Hummingbird
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel

/// Venues: what they are now, and how they are set.
struct VenueRoutes {
    let store: RevisionStore
    let gate: Gate

    func add(to router: Router<VenueContext>) {
        router.get("venues", use: self.list)
        router.get("venues/{venue}", use: self.show)
        router.patch("venues/{venue}", use: self.change)
        router.delete("venues/{venue}", use: self.remove)
        router.post("venues/{venue}/prune", use: self.prune)
        router.post("venues/{venue}/epoch", use: self.renewEpoch)
    }

    private struct VenueList: Encodable {
        let venues: [Venue]
    }

    /// `GET /venues`: those that the key may read.
    @Sendable func list(_ request: Request, _ context: VenueContext) async throws -> Response {
        let caller = try await self.gate.known(request)
        // The table may be ahead of what is known here, and then the answers of other routes would lie behind this one.
        try await self.gate.node.refresh()
        var venues: [Venue] = []
        for record in try await self.store.venues() where record.settings.public || caller.sees(record.key) {
            do {
                venues.append(try await self.answer(for: record, to: caller))
            } catch StoreError.venueGone {}  // just now
        }
        return try Response.json(VenueList(venues: venues)).cached("no-cache", isPublic: false)
    }

    /// `GET /venues/{venue}`
    @Sendable func show(_ request: Request, _ context: VenueContext) async throws -> Response {
        var (venue, caller) = try await self.gate.readable(request, context)
        if venue.settings.public { caller = try await self.gate.caller(of: request) }  // an admin sees the settings too
        let answer = try await self.answer(for: venue, to: caller)
        return try Response.json(answer).cached("no-cache", isPublic: venue.settings.public && answer.settings == nil)
    }

    private func answer(for venue: VenueRecord, to caller: Caller) async throws -> Venue {
        try await self.store.newest(of: venue) { try await self.answer(ofNow: $0, to: caller) }
    }

    private func answer(ofNow venue: VenueRecord, to caller: Caller) async throws -> Venue {
        let revision = try await self.store.revision(venue.head, of: venue)
        let states = try await self.store.levelStates(of: venue, at: revision)
        let bodies = try await self.store.levelFeatures(of: venue, at: venue.head)
        let labels = Dictionary(uniqueKeysWithValues: bodies.map { ($0.id, try? JSONReader.value(of: $0.body)) })
        let ordinals = Dictionary(uniqueKeysWithValues: revision.levels.map { ($0.id, $0.ordinal) })
        var name: JSONValue?
        if let id = revision.venueFeature {
            let feature = try await self.store.feature(id, of: venue, at: venue.head)
            name = (try? JSONReader.value(of: feature.body))?["properties"]?["name"]
        }
        return Venue(
            venue: venue.key, id: revision.venueFeature, head: venue.head, first: venue.first, digest: revision.digest,
            name: name,
            about: revision.about, public: venue.settings.public,
            levels: states.map { state in
                let properties = state.level.flatMap { labels[$0] ?? nil }?["properties"]
                return Venue.Level(
                    level: state.level, ordinal: state.level.flatMap { ordinals[$0] ?? nil },
                    shortName: properties?["short_name"], name: properties?["name"], digest: state.digest,
                    features: state.features, bytes: state.bytes)
            },
            settings: caller.role == .admin && caller.sees(venue.key) ? venue.settings : nil)
    }

    /// What `PATCH` may carry. A member that is absent stays as it is; null resets what can be without a value.
    private struct SettingsChange: Decodable {
        var settings: [String: JSONValue]

        init(from decoder: any Decoder) throws {
            self.settings = try [String: JSONValue](from: decoder)
        }
    }

    /// `PATCH /venues/{venue}` (admin)
    @Sendable func change(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, caller) = try await self.gate.changeable(request, context, by: .admin)
        let change = try await request.json(SettingsChange.self)
        var settings = venue.settings
        for (name, value) in change.settings { try settings.set(name, to: value) }
        try await self.store.set(settings, of: venue)
        return try await self.answer(to: caller, afterChangeOf: venue.key)
    }

    /// The venue as it is now; of one without a revision, its settings.
    func answer(to caller: Caller, afterChangeOf key: VenueKey) async throws -> Response {
        let changed = try await self.store.venue(key)
        guard changed.head > 0 else { return try Response.json(changed.settings).cached("no-store", isPublic: false) }
        return try await Response.json(self.answer(for: changed, to: caller)).cached("no-store", isPublic: false)
    }

    private struct Removal: Decodable {
        let confirm: String?
    }

    /// `DELETE /venues/{venue}` `{"confirm": key}` (admin): a tombstone stays.
    @Sendable func remove(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.changeable(request, context, by: .admin)
        guard try await request.json(Removal.self).confirm == venue.key.description else {
            throw Problem(
                "confirm", status: 400, title: "This deletes every revision of the venue",
                detail: "Send {\"confirm\": \"\(venue.key)\"} to do it.")
        }
        try await self.store.delete(venue)
        return Response(status: .noContent)
    }
}

extension Venue.Settings {
    /// How many revisions may be kept: at least the newest.
    static func revisionsToKeep(_ value: Double) -> Int? {
        value >= 1 && value <= 1e9 ? Int(exactly: value) : nil
    }

    fileprivate mutating func set(_ name: String, to value: JSONValue) throws {
        switch (name, value) {
        case ("public", .bool(let value)): self.public = value
        case ("removal_guard", .bool(let value)): self.removalGuard = value
        case ("validation", .string(let value)) where ["report", "strict"].contains(value): self.validation = value
        case ("identity", .string(let value)) where ["repair", "trust"].contains(value): self.identity = value
        case ("time_zone", .null): self.timeZone = nil
        case ("time_zone", .string(let value)) where TimeZoneName.isKnown(value): self.timeZone = value
        case ("keep_revisions", .null): self.keepRevisions = nil
        case ("keep_revisions", .number(let value)) where Self.revisionsToKeep(value) != nil:
            self.keepRevisions = Self.revisionsToKeep(value)
        case ("public", _), ("removal_guard", _): throw Problem.body("“\(name)” takes true or false")
        case ("validation", _): throw Problem.body("“validation” takes report or strict")
        case ("identity", _): throw Problem.body("“identity” takes repair or trust")
        case ("time_zone", _): throw Problem.body("“time_zone” takes a name such as Asia/Tokyo, or null")
        case ("keep_revisions", _): throw Problem.body("“keep_revisions” takes a whole number from 1, or null")
        default: throw Problem.body("there is no setting “\(name.prefix(100))”")
        }
    }
}
