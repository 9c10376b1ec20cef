import FloorTiles
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Floors as map tiles, of the newest revision and of numbered ones.
struct TileRoutes: Sendable {
    let tiles: TileService
    let readModel: ReadModel
    let links: LinkOrigin

    /// Clients check whether a tile of the newest revision is current after a minute, and show it when the server does not respond.
    static let freshness = "max-age=60, stale-if-error=86400"
    /// The content of tiles of a numbered revision changes with the edition only, which clients check after a day.
    static let editionFreshness = "max-age=86400, stale-if-error=604800"

    func add(to routes: RouteGroups) {
        for prefix in ["venues/{venue}/tiles", "venues/{venue}/revisions/{number}/tiles"] {
            routes.tileReaders.get("\(prefix)/L{tile}", use: self.flatTile)
            routes.tileReaders.get("\(prefix)/{floor}.json", use: self.tileJSON)
            routes.tileReaders.get("\(prefix)/{floor}/{z}/{x}/{y}", use: self.tile)
        }
    }

    /// `GET /venues/{venue}/tiles/L{floor}_{z}_{x}_{y}.png?lang=&theme=` and `…@2x.png`
    @Sendable func flatTile(_ request: Request, _ context: ReaderContext) async throws -> Response {
        guard let name = context.parameters.get("tile") else { throw Problem.notFound }
        return try await self.response(TilePath(flat: name), request, context)
    }

    /// `GET /venues/{venue}/tiles/{floor}/{z}/{x}/{y}.png`, `…@2x.png` and `.mvt`
    @Sendable func tile(_ request: Request, _ context: ReaderContext) async throws -> Response {
        try await self.response(TilePath(context.parameters), request, context)
    }

    private func response(
        _ path: TilePath, _ request: Request, _ context: ReaderContext
    ) async throws -> Response {
        let variant = try QueryValues(request).tileVariant(path.format, scale: path.scale)
        let levels = try await self.levels(of: path.floor, context)
        let control = try await context.tileCaching(request, by: self.tiles)
        var headers: HTTPFields = [.contentType: path.format.mediaType]
        headers.cache(control, isPublic: context.isPublic)
        // A client that has the tile already receives 304 before it is drawn.
        if let tag = try await self.tiles.knownTag(of: levels, at: path.tile, variant, for: context.venue.key) {
            let unchanged = Response(status: .ok, headers: headers).taggedStrongly(tag, for: request)
            if unchanged.status == .notModified { return unchanged }
        }
        let tile = try await self.tiles.tile(of: levels, at: path.tile, variant, for: context.venue.key)
        return try Response(status: .ok, headers: headers, body: .held(tile.bytes))
            .taggedStrongly(tile.tag, for: request)
    }

    private func levels(of floor: TileFloor, _ context: ReaderContext) async throws -> [LevelPreparation.Level] {
        let revision = try await context.revision(by: self.readModel)
        return try await self.tiles.levels.prepared(
            try floor.levels(in: revision), of: context.venue, at: revision, generation: context.permission.generation)
    }

    // MARK: - TileJSON

    private struct TileJSON: Encodable {
        struct VectorLayer: Encodable {
            let id: String
            let fields: [String: String]
        }

        let tilejson = "3.0.0"
        let name: String
        let scheme = "xyz"
        let tiles: [String]
        let minzoom = TileAddress.zooms.lowerBound
        let maxzoom = TileAddress.zooms.upperBound
        let bounds: [Double]
        let center: [Double]
        let vector_layers: [VectorLayer]?
    }

    /// `GET /venues/{venue}/tiles/{floor}.json?format=&lang=&theme=`
    @Sendable func tileJSON(_ request: Request, _ context: ReaderContext) async throws -> Response {
        guard let name = context.parameters.get("floor") else { throw Problem.notFound }
        let query = QueryValues(request)
        let format = try query.tileFormat()
        guard let floor = TileFloor(name, allowsAll: format == .mvt) else {
            throw Problem.tileNotFound("A floor is an ordinal or the id of a level.")
        }
        _ = try query.tileVariant(format)
        let levels = try await self.levels(of: floor, context).map(\.prepared)
        let bounds = TileBounds(of: levels)
        let path = request.uri.path
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        // With the edition, tiles of a numbered revision may be kept for a year.
        let edition = context.hasRevisionNumber ? try await self.tiles.edition(of: context.venue).hex : nil
        let addition = try query.passedOn(["lang", "theme", "token"], edition: edition)
        let template =
            "\(self.links.origin(of: request))\(folder)/\(name)/{z}/{x}/{y}.\(format)\(addition)"
        let json = TileJSON(
            name: "\(context.venue.key) \(name)", tiles: [template], bounds: bounds.corners, center: bounds.center,
            vector_layers: format == .png
                ? nil : TileLayers.layers(of: levels).map { .init(id: $0.name, fields: $0.fields) })
        return try await Response.hashed(
            Array(WireJSON.data(json)), context.tileCaching(request, by: self.tiles),
            isPublic: context.isPublic && self.links.isFixed, for: request)
    }
}

extension ReaderContext {
    /// Whether the path names a revision.
    var hasRevisionNumber: Bool { self.parameters.get("number") != nil }

    var isPublic: Bool { self.venue.settings.public }

    /// How long a tile, or what refers to tiles, may be kept. Those of a numbered revision depend on the edition besides the revision, so
    /// they never change only under an address that names the edition of this server.
    func tileCaching(_ request: Request, by tiles: TileService) async throws -> String {
        let given = try QueryValues(request).edition()
        guard self.hasRevisionNumber else { return TileRoutes.freshness }
        return given == (try await tiles.edition(of: self.venue).hex) ? immutable : TileRoutes.editionFreshness
    }

    /// The revision of the path, or the newest one.
    func revision(by readModel: ReadModel) async throws -> RevisionRecord {
        let number = self.hasRevisionNumber ? try self.revisionNumber() : self.venue.head
        return try await readModel.revisions(of: self.venue, at: number).revision(number, of: self.venue)
    }
}

extension QueryValues {
    /// `edition=`
    func edition() throws -> String? {
        let given = try self.text("edition")
        if let given, Digest(hex: given) == nil {
            throw Problem.parameter("edition", "It must be the edition of an earlier response.")
        }
        return given
    }

    /// The parameters that addresses in a response repeat.
    func passedOn(_ names: [String], edition: String? = nil) throws -> String {
        var values = try names.compactMap { name in try self.text(name).map { "\(name)=\($0)" } }
        if let edition { values.append("edition=\(edition)") }
        return values.isEmpty ? "" : "?\(values.joined(separator: "&"))"
    }
}
