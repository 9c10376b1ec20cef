import Crypto
import Foundation
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What changed since: the call that map apps poll.
struct SyncRoutes {
    let store: RevisionStore
    let gate: Gate

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/sync", use: self.sync)
    }

    /// `GET /venues/{venue}/sync?since=&level=&to=&limit=`
    @Sendable func sync(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let query = QueryValues(request)
        let since = try query.text("since").map { token in
            guard let cursor = Cursor(token) else { throw StoreError.malformedCursor("It was cut short or made up.") }
            return cursor
        }
        let to = try query.number("to", in: 1...Int64.max)
        let wanted = try query.levels()
        let limit = try query.limit(default: 5_000, most: 50_000)
        do {
            let changes = try await self.store.newest(of: venue) { venue in
                try await self.store.changeSet(
                    for: SyncRequest(venue: venue, since: since, to: to, wanted: wanted, limit: limit))
            }
            let isPinned = since != nil && (to != nil || since?.page != nil)
            return try Response.bytes(changes.json(), type: "application/json")
                .cached(Self.freshness(of: changes, isPinned: isPinned), isPublic: venue.settings.public)
                .tagged(changes.tag, for: request)
        } catch StoreError.historyLost, StoreError.revisionPruned {
            return try await self.store.newest(of: venue) { try await self.restart(of: $0, wanted: wanted) }
        }
    }

    /// How long the answer may be kept. What ends at a named revision never changes; an answer without news is asked for again
    /// soon, and one with news stays right for whoever holds the same.
    private static func freshness(of changes: ChangeSet, isPinned: Bool) -> String {
        if isPinned { return immutable }
        return changes.blocks.isEmpty ? "max-age=2, stale-while-revalidate=60" : "max-age=60"
    }

    /// A problem that says how to start over: what to hold in the end, and where each level is.
    private struct Restart: Encodable {
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

    private func restart(of venue: VenueRecord, wanted: LevelSelection) async throws -> Response {
        let (to, cursor, levels) = try await self.store.restart(of: venue, wanted: wanted)
        guard let problem = Problem(StoreError.historyLost) else { throw StoreError.historyLost }
        let restart = Restart(
            type: problem.type, title: problem.title, status: problem.status, detail: problem.detail, to: to,
            cursor: cursor,
            levels: levels.map { state in
                let level = state.level?.description ?? LevelSelection.Name.venueWide.description
                return .init(
                    level: state.level, digest: state.digest,
                    href: "/venues/\(venue.key)/revisions/\(to)/features?level=\(level)"
                        + "&epoch=\(EpochToken(venue.epoch))")
            })
        return try Response.json(restart, status: .gone, type: "application/problem+json")
            .cached("no-store", isPublic: false)
    }
}

extension ChangeSet {
    /// Names what the answer says: equal tags, equal answers to one address.
    fileprivate var tag: String {
        let about = [self.about.language, self.about.timeZone, self.about.country].map { $0 ?? "" }.joined(
            separator: " ")
        let hash = SHA256.hash(data: Data("\(self.cursor) \(self.to) \(about)".utf8))
        return hash.prefix(12).map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}
