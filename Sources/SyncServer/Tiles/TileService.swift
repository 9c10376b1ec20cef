import Caching
import FloorTiles
import IMDF
import NIOCore
import RevisionStore
import SyncModel
import Synchronization
import VenueMap

/// Draws tiles and archives of prepared levels, each once for all requests that need it, in bounded memory.
///
/// Everything is kept by content. A publication that does not change a tile keeps the tile and its entity tag.
final class TileService: Sendable {
    struct Tile: Sendable {
        let bytes: ByteBuffer
        let tag: String
    }

    /// What the content of a tile depends on.
    private struct ContentQuery: Hashable {
        let levels: [LevelPreparation.Key]
        /// Of each level, the language as it matters for it.
        let languages: [String?]
        let tile: TileAddress
        let variant: TileVariant

        init(_ levels: [LevelPreparation.Level], _ tile: TileAddress, _ variant: TileVariant) {
            self.levels = levels.map(\.key)
            self.languages = levels.map { $0.prepared.effectiveLanguage(variant.language) }
            self.tile = tile
            var variant = variant
            variant.language = nil
            self.variant = variant
        }
    }

    private struct TileKey: Hashable {
        let content: Digest
        let format: TileFormat
    }

    let levels: LevelPreparation
    let drawing: TileDrawing
    let symbols: MapSymbols
    private let comparisonPermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 64, queueLimitPerKey: 8)
    private let tiles: LRUCache<TileKey, Tile>
    /// How many tiles were drawn.
    let drawnTiles = Atomic<Int>(0)
    /// How many times states of levels were compared.
    let comparisons = Atomic<Int>(0)
    private let drawings = SingleFlight<OfVenue<TileKey>, Tile>()
    /// The entity tags of more tiles than there is memory for.
    private let tags = LRUCache<TileKey, String>(cost: 200_000)

    /// The keys of the contents of tiles, because determining one takes work.
    private let keys = LRUCache<ContentQuery, TileKey>(cost: 100_000)
    private let contents = SingleFlight<OfVenue<ContentQuery>, TileKey>()

    private let archiveDrawings = SingleFlight<String, ByteBuffer>(joinTimeout: .seconds(600))
    /// An archive has half of the bytes at most.
    private let archives = LRUCache<String, ByteBuffer>(cost: 128 << 20)
    /// They bound the memory of archives that are being made.
    private let archivePermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 64, queueLimitPerKey: 8)

    private static let tileOverhead = 256

    /// - Parameters:
    ///   - fonts: The files of the fonts for labels; nil for those that are installed.
    ///   - tileBytes: The tiles that are kept in memory, in bytes.
    ///   - tileLimit: The processor time that a tile may take.
    init(
        readModel: ReadModel, fonts: [String]?, tileBytes: Int = 64 << 20, tileLimit: Duration = .seconds(20)
    ) {
        self.drawing = TileDrawing(fonts: fonts, tileLimit: tileLimit)
        self.levels = LevelPreparation(readModel: readModel, drawing: self.drawing)
        self.symbols = MapSymbols(drawing: self.drawing)
        self.tiles = LRUCache(cost: tileBytes)
    }

    /// What the tiles of a numbered revision of a venue depend on besides the number: the program, the colours and hidden categories of the
    /// venue, and the epoch, because after a restore or a promotion another revision may have the number. The first call reads the fonts,
    /// which takes a while.
    func edition(of venue: VenueRecord) async throws -> Digest {
        let edition = try await offSharedThreads { [drawing = self.drawing] _ in drawing.edition }
        var bytes = edition.bytes + "\(venue.epoch)".utf8
        if let drawing = self.levels.appearance(of: venue)?.drawingDigest { bytes += drawing.bytes }
        return Digest(of: bytes)
    }

    // MARK: - Tiles

    /// The entity tag of a tile: a digest of the edition and the bytes. Nil if it is not known without drawing.
    func knownTag(
        of levels: [LevelPreparation.Level], at tile: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> String? {
        self.tags.value(for: try await self.key(of: levels, at: tile, variant, for: venue))
    }

    func tile(
        of levels: [LevelPreparation.Level], at address: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> Tile {
        let key = try await self.key(of: levels, at: address, variant, for: venue)
        if let tile = self.tiles.value(for: key) { return tile }
        return try await self.drawings.value(for: OfVenue(venue: venue, key: key)) {
            let prepared = levels.map(\.prepared)
            self.drawnTiles.add(1, ordering: .relaxed)
            let bytes = try await self.drawing.run(.tiles(venue)) { renderer, shouldStop in
                try renderer.tile(of: prepared, at: address, variant, isCancelled: shouldStop)
            }
            let tile = Tile(bytes: ByteBuffer(bytes: bytes), tag: self.tag(of: bytes))
            self.tiles.keep(tile, for: key, cost: bytes.count + Self.tileOverhead)
            self.tags.keep(tile.tag, for: key, cost: 1)
            return tile
        }
    }

    /// The content of a tile. The first tile of a zoom and language places the labels of the level.
    private func key(
        of levels: [LevelPreparation.Level], at tile: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> TileKey {
        let query = ContentQuery(levels, tile, variant)
        if let key = self.keys.value(for: query) { return key }
        return try await self.contents.value(for: OfVenue(venue: venue, key: query)) {
            let prepared = levels.map(\.prepared)
            let digest = try await self.drawing.run(.tiles(venue)) { renderer, shouldStop in
                renderer.contentDigest(of: prepared, at: tile, variant, shouldStop: shouldStop)
            }
            // All empty tiles of a size are the same.
            let empty = Digest(of: "empty \(variant.format == .png ? variant.scale : 1)".utf8)
            let key = TileKey(content: digest ?? empty, format: variant.format)
            self.keys.keep(key, for: query, cost: max(levels.count, 1))
            return key
        }
    }

    private func tag(of bytes: [UInt8]) -> String {
        String(Digest(of: self.drawing.edition.bytes + bytes).hex.prefix(32))
    }

    // MARK: - Archives

    /// Identifies the archive of levels before it is made.
    func archiveTag(of levels: [LevelPreparation.Level], _ variant: TileVariant, edition: Digest) -> String {
        let parts = levels.map { level in
            "\(level.key.level) \(level.key.digest.hex) \(level.key.venueWide.hex) \(level.key.language ?? "")"
        }
        let key = parts + ["\(variant.format) \(variant.theme) \(variant.language ?? "")", edition.hex]
        return EntityTag.of(key)
    }

    /// All tiles of levels in one file. It is kept, because readers request it in parts.
    func archive(
        of levels: [LevelPreparation.Level], _ variant: TileVariant, edition: Digest, name: String, for venue: VenueKey
    ) async throws -> ByteBuffer {
        // Another copy of the database may have other features under the same digests.
        let generations = levels.map { "\($0.key.generation)" }.joined(separator: " ")
        let key = "\(self.archiveTag(of: levels, variant, edition: edition)) \(generations) \(name)"
        if let archive = self.archives.value(for: key) { return archive }
        return try await self.archiveDrawings.value(for: key) {
            let prepared = levels.map(\.prepared)
            return try await self.archivePermits.withPermit(for: venue) {
                if let archive = self.archives.value(for: key) { return archive }
                let archive = try await self.drawing.run(.archive(venue), limit: TileDrawing.Limit.archive) {
                    renderer, shouldStop in
                    ByteBuffer(
                        bytes: try TileArchive.bytes(
                            of: prepared, variant, name: name, by: renderer, isCancelled: shouldStop))
                }
                self.archives.keep(archive, for: key, cost: archive.readableBytes)
                return archive
            }
        }
    }

    // MARK: - Changes

    /// Compares two states of levels.
    ///
    /// - Returns: Nil if that is not finished at the deadline.
    func changedTiles(
        from old: [PreparedLevel], to new: [PreparedLevel], _ variant: TileVariant,
        until deadline: ContinuousClock.Instant, for venue: VenueKey
    ) async throws -> ChangedTiles? {
        self.comparisons.add(1, ordering: .relaxed)
        do {
            return try await self.comparisonPermits.withPermit(for: venue) {
                try await self.drawing.run(.comparison(venue), limit: TileDrawing.Limit.archive) {
                    renderer, shouldStop in
                    try renderer.changedTiles(from: old, to: new, variant) {
                        shouldStop() || ContinuousClock.now > deadline
                    }
                }
            }
        } catch is CancellationError where !Task.isCancelled {
            return nil
        }
    }
}
