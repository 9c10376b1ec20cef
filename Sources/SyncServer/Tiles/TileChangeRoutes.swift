import Caching
import FloorTiles
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Which tiles differ between two revisions.
struct TileChangeRoutes: Sendable {
    let tiles: TileService
    let readModel: ReadModel
    private let results = LRUCache<Query, TileChanges>(cost: 16 << 20)
    private let computations = SingleFlight<Query, TileChanges>(joinTimeout: .seconds(60))

    func add(to routes: RouteGroups) {
        routes.tileReaders.get("venues/{venue}/tiles/changes", use: self.changes)
    }

    private struct Query: Hashable {
        let venue: Int64
        let epoch: Int64
        let generation: Int
        let from: Int64
        let to: Int64
        let variant: TileVariant
        /// That of the venue, which changes with its appearance.
        let edition: String
    }

    /// `GET /venues/{venue}/tiles/changes?since=&to=&format=&lang=&theme=&edition=`
    @Sendable func changes(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let values = QueryValues(request)
        guard let from = try values.number("since", in: 1...Int64.max) else {
            throw Problem.parameter("since", "It must be the number of a revision.")
        }
        let to = try values.number("to", in: 1...Int64.max) ?? venue.head
        let variant = try values.tileVariant(try values.text("format") == nil ? .png : try values.tileFormat())
        let edition = try await self.tiles.edition(of: venue).hex
        let given = try values.edition()
        let isOfThisEdition = given == nil || given == edition
        let comparison = try await TileComparison(
            of: venue, from: from, to: to, generation: context.permission.generation, readModel: self.readModel)
        let changes: TileChanges
        if isOfThisEdition {
            let query = Query(
                venue: venue.id, epoch: venue.epoch, generation: context.permission.generation, from: from, to: to,
                variant: variant, edition: edition)
            changes = try await self.computations.value(for: query) {
                if let known = self.results.value(for: query) { return known }
                let changes = try await comparison.changes(variant, by: self.tiles, edition: edition)
                if changes.isComplete { self.results.keep(changes, for: query, cost: changes.cost) }
                return changes
            }
        } else {
            changes = comparison.everything(edition: edition)
        }
        // Two numbered revisions always differ by the same tiles in an edition. All others are checked with every request: an app that
        // knows of a new revision must not receive a response from before it.
        let isFixed = try values.text("to") != nil && given == edition && changes.isComplete
        return try Response.hashed(
            Array(WireJSON.data(changes)), isFixed ? immutable : "no-cache", isPublic: venue.settings.public,
            for: request)
    }
}

/// The tiles that differ between two revisions.
struct TileChanges: Encodable, Sendable {
    struct Floor: Encodable, Sendable {
        /// Nil for tiles of the ordinal that differ besides those of its levels.
        let level_id: FeatureID?
        let ordinal: Int?
        let tiles: ChangedTiles

        private enum Key: String, CodingKey {
            case level_id, ordinal, tiles
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(self.level_id, forKey: .level_id)
            try container.encode(self.ordinal, forKey: .ordinal)
            switch self.tiles {
            case .all: try container.encode("all", forKey: .tiles)
            case .some(let tiles): try container.encode(tiles.map(\.path), forKey: .tiles)
            }
        }
    }

    let from: Int64
    let to: Int64
    let edition: String
    /// Only levels with tiles that differ.
    let floors: [Floor]
    /// Whether there was time to compare every level. The next request compares again those for which there was none.
    let isComplete: Bool

    private enum CodingKeys: String, CodingKey {
        case from, to, edition, floors
    }

    /// The bytes that it takes in memory, roughly.
    var cost: Int {
        self.floors.reduce(256) { sum, floor in
            if case .some(let tiles) = floor.tiles { sum + 128 + 24 * tiles.count } else { sum + 128 }
        }
    }
}
