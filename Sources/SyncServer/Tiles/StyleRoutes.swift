import FloorTiles
import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import RevisionStore
import SyncModel
import VenueMap

/// Styles of MapLibre with what they refer to, and the cartography.
struct StyleRoutes: Sendable {
    let tiles: TileService
    let readModel: ReadModel
    let links: LinkOrigin

    /// Sprites and glyphs change with the program only.
    private static let freshness = "max-age=86400"

    func add(to routes: RouteGroups) {
        routes.open.get("cartography.json", use: self.cartography)
        for prefix in ["venues/{venue}", "venues/{venue}/revisions/{number}"] {
            routes.tileReaders.get("\(prefix)/style.json", use: self.style)
        }
        routes.tileReaders.get("venues/{venue}/sprites/{file}", use: self.sprite)
        routes.tileReaders.get("venues/{venue}/glyphs/{fontstack}/{range}.pbf", use: self.glyphs)
    }

    private static let cartographyTag = String(Digest(of: CartographyDocument.json).hex.prefix(32))

    /// `GET /cartography.json`: the colours, pictograms, names and zooms of maps.
    @Sendable func cartography(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try Response.bytes(CartographyDocument.json, type: "application/json").cached("max-age=3600", isPublic: true)
            .tagged(Self.cartographyTag, for: request)
    }

    // MARK: - Style

    /// `GET /venues/{venue}/style.json?lang=&theme=&floor=&switch=`
    @Sendable func style(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let values = QueryValues(request)
        let variant = try values.tileVariant(.mvt)
        let name = try values.text("switch")
        guard let floorSwitch = name.map(MapStyle.FloorSwitch.init(rawValue:)) ?? .filter else {
            throw Problem.parameter("switch", "It must be filter or global-state.")
        }
        let floorName = try values.text("floor") ?? "all"
        guard let floor = TileFloor(floorName, allowsAll: true) else {
            throw Problem.parameter("floor", "It must be an ordinal, the id of a level, or all.")
        }
        let revision = try await context.revision(by: self.readModel)
        let ids = try floor.levels(in: revision)
        let levels = try await self.tiles.levels.prepared(
            ids, of: context.venue, at: revision, generation: context.permission.generation
        ).map(\.prepared)
        let edition = context.hasRevisionNumber ? try await self.tiles.edition(of: context.venue).hex : nil
        let tileQuery = try values.passedOn(["lang", "token"], edition: edition)
        let query = try values.passedOn(["token"])
        let venue = "\(self.links.origin(of: request))/venues/\(context.venue.key)"
        let tileFolder = context.hasRevisionNumber ? "\(venue)/revisions/\(revision.number)" : venue
        let addresses = MapStyle.Addresses(
            tiles: "\(tileFolder)/tiles/\(floorName)/{z}/{x}/{y}.mvt\(tileQuery)",
            sprite: "\(venue)/sprites/\(variant.theme)\(query)",
            glyphs: "\(venue)/glyphs/{fontstack}/{range}.pbf\(query)")
        // The lowest floor above the ground is what most maps show first.
        let ordinals = levels.compactMap(\.ordinal).sorted()
        let first = ordinals.first { $0 >= 0 } ?? ordinals.last
        let style = MapStyle(
            name: "\(context.venue.key)", addresses: addresses,
            bounds: levels.compactMap(\.bounds).reduce(nil) { $0?.union($1) ?? $1 },
            center: levels.center, ordinal: floor == .all ? first : nil,
            floorSwitch: floorSwitch, fontStack: FontStacks.name(for: variant.language ?? revision.about.language),
            theme: variant.theme,
            appearance: self.tiles.levels.appearance(of: context.venue))
        return try await Response.hashed(
            CanonicalJSON.data(.object(style.json)), context.tileCaching(request, by: self.tiles),
            isPublic: context.isPublic && self.links.isFixed, for: request)
    }

    // MARK: - Sprites and glyphs

    /// `GET /venues/{venue}/sprites/light.json`, `light.png`, `light@2x.json`, `dark.json` …
    @Sendable func sprite(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let parts = (context.parameters.get("file") ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, ["json", "png"].contains(parts[1]) else { throw Problem.notFound }
        let isLarge = parts[0].hasSuffix("@2x")
        guard let theme = TileTheme(rawValue: String(isLarge ? parts[0].dropLast(3) : parts[0])) else {
            throw Problem.notFound
        }
        let sheet = try await self.tiles.symbols.sprite(theme, scale: isLarge ? 2 : 1, for: context.venue.key)
        let isImage = parts[1] == "png"
        return try self.file(
            isImage ? sheet.png : CanonicalJSON.data(.object(sheet.index)),
            isImage ? "image/png" : "application/json", request, context)
    }

    /// `GET /venues/{venue}/glyphs/{fontstack}/{first}-{last}.pbf`: 256 characters as signed distance fields.
    @Sendable func glyphs(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let name = (context.parameters.get("fontstack") ?? "").removingPercentEncoding ?? ""
        let ends = (context.parameters.get("range") ?? "").split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] % 256 == 0, ends[1] == ends[0] + 255, (0...0xFF00).contains(ends[0]) else {
            throw Problem.notFound
        }
        // MapLibre requests a list of fonts as one name.
        let known = name.split(separator: ",").lazy.map(String.init).first { FontStacks.exists($0) }
        guard let known else { throw Problem.notFound }
        let bytes = try await self.tiles.symbols.glyphs(known, block: ends[0] / 256, for: context.venue.key)
        return try self.file(bytes, "application/x-protobuf", request, context)
    }

    private func file(
        _ bytes: [UInt8], _ type: String, _ request: Request, _ context: ReaderContext
    ) throws -> Response {
        try Response.hashed(bytes, type: type, Self.freshness, isPublic: context.isPublic, for: request)
    }
}
