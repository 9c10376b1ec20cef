import Caching
import FloorTiles
import SyncModel

/// The sprites and glyphs of map styles, each made once for all requests of a venue, in bounded memory.
final class MapSymbols: Sendable {
    private struct SpriteKey: Hashable {
        let theme: TileTheme
        let scale: Int
    }

    private struct GlyphKey: Hashable {
        let fontStack: String
        let block: Int
    }

    private let drawing: TileDrawing
    private let spriteSheets = LRUCache<SpriteKey, SpriteSheet>(cost: 8)
    private let spriteDrawings = SingleFlight<OfVenue<SpriteKey>, SpriteSheet>()
    private let glyphBlocks = LRUCache<GlyphKey, [UInt8]>(cost: 16 << 20)
    private let glyphDrawings = SingleFlight<OfVenue<GlyphKey>, [UInt8]>()
    /// A block takes seconds. Venues take turns, but work that waits for its turn occupies a thread: with one block of each of many venues,
    /// no thread would be left for what takes milliseconds.
    let glyphPermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 4_096, queueLimitPerKey: 1_024)

    /// Of a block in memory, in bytes.
    private static let overhead = 256

    init(drawing: TileDrawing) {
        self.drawing = drawing
    }

    func sprite(_ theme: TileTheme, scale: Int, for venue: VenueKey) async throws -> SpriteSheet {
        let key = SpriteKey(theme: theme, scale: scale)
        if let sheet = self.spriteSheets.value(for: key) { return sheet }
        return try await self.spriteDrawings.value(for: OfVenue(venue: venue, key: key)) {
            let sheet = try await self.drawing.run(.symbols(venue)) { renderer, _ in
                SpriteSheet(theme, scale: scale, by: renderer)
            }
            self.spriteSheets.keep(sheet, for: key, cost: 1)
            return sheet
        }
    }

    /// 256 characters of a font stack that exists.
    func glyphs(_ fontStack: String, block: Int, for venue: VenueKey) async throws -> [UInt8] {
        let key = GlyphKey(fontStack: fontStack, block: block)
        if let bytes = self.glyphBlocks.value(for: key) { return bytes }
        return try await self.glyphDrawings.value(for: OfVenue(venue: venue, key: key)) {
            try await self.glyphPermits.withPermit(for: venue) {
                if let bytes = self.glyphBlocks.value(for: key) { return bytes }
                let bytes = try await self.drawing.run(.symbols(venue)) { renderer, shouldStop in
                    renderer.fontStacks.glyphs(fontStack, block: block, shouldStop: shouldStop) ?? []
                }
                self.glyphBlocks.keep(bytes, for: key, cost: bytes.count + Self.overhead)
                return bytes
            }
        }
    }
}
