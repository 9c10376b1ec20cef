import Caching
import FloorTiles
import Foundation
import IMDF
import NIOCore
import RevisionStore
import SyncModel
import Synchronization
import VenueMap

/// Prepares levels and draws tiles of them, each once for all requests that need it, in bounded memory.
///
/// Everything is kept by content. A publication that does not change a level keeps what was prepared for it, and one that does not change
/// a tile keeps the tile and its entity tag.
final class TileService: Sendable {
    struct Tile: Sendable {
        let bytes: ByteBuffer
        let tag: String
    }

    /// What a prepared level depends on.
    fileprivate struct LevelKey: Hashable {
        let level: FeatureID
        let digest: Digest
        /// The venue-wide part has the level itself and the features that touch it.
        let venueWide: Digest
        let language: String?
        let appearance: MapAppearance?
        /// Of the read model: another copy of the database may have other features under the same digest.
        let generation: Int
    }

    /// A level that is ready to be drawn.
    struct Level: Sendable {
        fileprivate let key: LevelKey
        let prepared: PreparedLevel
    }

    /// What the content of a tile depends on.
    private struct ContentQuery: Hashable {
        let levels: [LevelKey]
        /// Of each level, the language as it matters for it.
        let languages: [String?]
        let tile: TileAddress
        let variant: TileVariant

        init(_ levels: [Level], _ tile: TileAddress, _ variant: TileVariant) {
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

    let readModel: ReadModel
    /// Made with the first tile, because reading the fonts takes a while.
    private let lazyRenderer: LazyRenderer
    /// For all that draws. A venue has one turn at a time for single tiles, one for archives and one for comparisons.
    let permits: FairSemaphore<DrawingKey>
    /// How many requests of one venue wait for a permit at most.
    static let queueLimitPerVenue = 12_000
    /// A level is held in memory as a whole while it is prepared, so few are prepared at the same time: of one venue the two states of a
    /// comparison.
    private let preparationPermits = FairSemaphore<VenueKey>(permits: 3, queueLimit: 256, queueLimitPerKey: 32)
    private let comparisonPermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 64, queueLimitPerKey: 8)
    private let levels = LRUCache<LevelKey, PreparedLevel>(cost: 128 << 20)
    private let appearances = LRUCache<JSONValue, MapAppearance?>(cost: 1_000)
    private let preparations = SingleFlight<LevelKey, PreparedLevel>(joinTimeout: .seconds(60))
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
    private let contents = SingleFlight<ContentQuery, TileKey>()

    /// Venues do not share what is being made, so that none waits in the queue of another; they share what is kept.
    private let sprites = SingleFlight<OfVenue<SpriteKey>, SpriteSheet>()
    private let keptSprites = LRUCache<SpriteKey, SpriteSheet>(cost: 8)
    private let blocks = SingleFlight<OfVenue<GlyphKey>, [UInt8]>()
    private let keptBlocks = LRUCache<GlyphKey, [UInt8]>(cost: 16 << 20)
    private let archives = SingleFlight<String, ByteBuffer>(joinTimeout: .seconds(600))
    /// An archive has half of the bytes at most.
    private let keptArchives = LRUCache<String, ByteBuffer>(cost: 128 << 20)
    /// They bound the memory of archives that are being made.
    private let archivePermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 64, queueLimitPerKey: 8)

    private struct OfVenue<Key: Hashable & Sendable>: Hashable {
        let venue: VenueKey
        let key: Key
    }

    private struct SpriteKey: Hashable {
        let theme: TileTheme
        let scale: Int
    }

    private struct GlyphKey: Hashable {
        let fontStack: String
        let block: Int
    }

    /// What has turns of its own.
    enum DrawingKey: Hashable {
        case tiles(VenueKey)
        case archive(VenueKey)
        case comparison(VenueKey)
        /// Glyphs and sprites.
        case symbols(VenueKey)
    }

    /// What a request may cost besides the turns of others. A tile of real floors takes milliseconds, their archives a minute.
    private enum WorkLimit {
        static let tile = Duration.seconds(20)
        static let archive = Duration.seconds(600)
    }

    private static let tileOverhead = 256

    /// - Parameters:
    ///   - fonts: The files of the fonts for labels; nil for those that are installed.
    ///   - tileBytes: The tiles that are kept in memory, in bytes.
    init(readModel: ReadModel, fonts: [String]?, tileBytes: Int = 64 << 20) {
        self.readModel = readModel
        self.tiles = LRUCache(cost: tileBytes)
        self.lazyRenderer = fonts.map { LazyRenderer(fonts: $0) } ?? .installed
        // The other cores are left to polls. A tile takes milliseconds, so the queue empties quickly.
        self.permits = FairSemaphore(
            permits: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), permitsPerKey: 1, queueLimit: 20_000,
            queueLimitPerKey: Self.queueLimitPerVenue)
    }

    /// What the tiles of a numbered revision of a venue depend on besides the number: the program, the colours and hidden categories of the
    /// venue, and the epoch, because after a restore or a promotion another revision may have the number. The first call reads the fonts,
    /// which takes a while.
    func edition(of venue: VenueRecord) async throws -> Digest {
        let lazyRenderer = self.lazyRenderer
        let edition = try await offSharedThreads { _ in lazyRenderer.renderer.edition }
        var bytes = edition.bytes + "\(venue.epoch)".utf8
        if let drawing = self.appearance(of: venue)?.drawingDigest { bytes += drawing.bytes }
        return Digest(of: bytes)
    }

    /// The appearance of a venue, read once for all requests.
    func appearance(of venue: VenueRecord) -> MapAppearance? {
        guard let value = venue.settings.appearance else { return nil }
        // It was checked when it was set.
        return self.appearances.value(for: value, cost: { _ in 1 }) { try? MapAppearance(value) }
    }

    // MARK: - Levels

    /// Prepared levels of a revision, in the given order.
    ///
    /// - Parameter generation: The generation of the read model before the venue was read from it.
    func prepared(
        _ ids: [FeatureID], of venue: VenueRecord, at revision: RevisionRecord, generation: Int
    ) async throws -> [Level] {
        let revisions = self.readModel.revisions(of: venue, at: revision.number)
        let states = try await revisions.levelStates(of: venue, at: revision)
        let digests = Dictionary(states.map { ($0.level, $0.digest) }) { first, _ in first }
        let venueWide = digests[nil] ?? LevelDigest().finalize()
        let appearance = self.appearance(of: venue)
        var levels: [Level] = []
        for id in ids {
            guard let digest = digests[id] else { throw StoreError.historyChanged }
            let key = LevelKey(
                level: id, digest: digest, venueWide: venueWide, language: revision.about.language,
                appearance: appearance, generation: generation)
            levels.append(Level(key: key, prepared: try await self.level(key, of: venue, at: revision.number)))
        }
        return levels
    }

    private func level(_ key: LevelKey, of venue: VenueRecord, at number: Int64) async throws -> PreparedLevel {
        if let level = self.levels.value(for: key) { return level }
        return try await self.preparations.value(for: key) {
            let level = try await self.preparationPermits.withPermit(for: venue.key) {
                if let known = self.levels.value(for: key) { return known }
                let features = try await self.readModel.read(venue, at: number) { store in
                    let own = try await store.feature(key.level, of: venue, at: number)
                    let filter = FeatureFilter(levels: [key.level], spanning: true)
                    return try await store.features(of: venue, at: number, where: filter) + [own]
                }
                return try await offSharedThreads { _ in
                    PreparedLevel(
                        level: key.level, features: features.map { (id: $0.id, type: $0.type, body: $0.body) },
                        language: key.language, appearance: key.appearance)
                }
            }
            self.levels.keep(level, for: key, cost: level.cost)
            return level
        }
    }

    // MARK: - Tiles

    /// The entity tag of a tile: a digest of the edition and the bytes. Nil if it is not known without drawing.
    func knownTag(
        of levels: [Level], at tile: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> String? {
        self.tags.value(for: try await self.key(of: levels, at: tile, variant, for: venue))
    }

    func tile(
        of levels: [Level], at address: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> Tile {
        let key = try await self.key(of: levels, at: address, variant, for: venue)
        if let tile = self.tiles.value(for: key) { return tile }
        return try await self.drawings.value(for: OfVenue(venue: venue, key: key)) {
            let prepared = levels.map(\.prepared)
            self.drawnTiles.add(1, ordering: .relaxed)
            let bytes = try await self.drawing(.tiles(venue)) { renderer, shouldStop in
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
        of levels: [Level], at tile: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> TileKey {
        let query = ContentQuery(levels, tile, variant)
        if let key = self.keys.value(for: query) { return key }
        return try await self.contents.value(for: query) {
            let prepared = levels.map(\.prepared)
            let digest = try await self.drawing(.tiles(venue)) { renderer, shouldStop in
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
        String(Digest(of: self.lazyRenderer.renderer.edition.bytes + bytes).hex.prefix(32))
    }

    // MARK: - Styles and archives

    func sprite(_ theme: TileTheme, scale: Int, for venue: VenueKey) async throws -> SpriteSheet {
        let key = SpriteKey(theme: theme, scale: scale)
        if let sheet = self.keptSprites.value(for: key) { return sheet }
        return try await self.sprites.value(for: OfVenue(venue: venue, key: key)) {
            let sheet = try await self.drawing(.symbols(venue)) { renderer, _ in
                SpriteSheet(theme, scale: scale, by: renderer)
            }
            self.keptSprites.keep(sheet, for: key, cost: 1)
            return sheet
        }
    }

    /// 256 characters of a font stack that exists.
    func glyphs(_ fontStack: String, block: Int, for venue: VenueKey) async throws -> [UInt8] {
        let key = GlyphKey(fontStack: fontStack, block: block)
        if let bytes = self.keptBlocks.value(for: key) { return bytes }
        return try await self.blocks.value(for: OfVenue(venue: venue, key: key)) {
            let bytes = try await self.drawing(.symbols(venue)) { renderer, shouldStop in
                renderer.fontStacks.glyphs(fontStack, block: block, shouldStop: shouldStop) ?? []
            }
            self.keptBlocks.keep(bytes, for: key, cost: bytes.count + Self.tileOverhead)
            return bytes
        }
    }

    /// Identifies the archive of levels before it is made.
    func archiveTag(of levels: [Level], _ variant: TileVariant, edition: Digest) -> String {
        let parts = levels.map { level in
            "\(level.key.level) \(level.key.digest.hex) \(level.key.venueWide.hex) \(level.key.language ?? "")"
        }
        let key = parts + ["\(variant.format) \(variant.theme) \(variant.language ?? "")", edition.hex]
        return EntityTag.of(key)
    }

    /// All tiles of levels in one file. It is kept, because readers request it in parts.
    func archive(
        of levels: [Level], _ variant: TileVariant, edition: Digest, name: String, for venue: VenueKey
    ) async throws -> ByteBuffer {
        // Another copy of the database may have other features under the same digests.
        let generations = levels.map { "\($0.key.generation)" }.joined(separator: " ")
        let key = "\(self.archiveTag(of: levels, variant, edition: edition)) \(generations) \(name)"
        if let archive = self.keptArchives.value(for: key) { return archive }
        return try await self.archives.value(for: key) {
            let prepared = levels.map(\.prepared)
            return try await self.archivePermits.withPermit(for: venue) {
                if let archive = self.keptArchives.value(for: key) { return archive }
                let archive = try await self.drawing(.archive(venue), limit: WorkLimit.archive) {
                    renderer, shouldStop in
                    ByteBuffer(
                        bytes: try TileArchive.bytes(
                            of: prepared, variant, name: name, by: renderer, isCancelled: shouldStop))
                }
                self.keptArchives.keep(archive, for: key, cost: archive.readableBytes)
                return archive
            }
        }
    }

    /// Runs work that draws, in turns.
    private func drawing<Value: Sendable>(
        _ key: DrawingKey, limit: Duration = WorkLimit.tile,
        _ work: @escaping @Sendable (TileRenderer, _ shouldStop: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let lazyRenderer = self.lazyRenderer
        return try await self.permits.inTurns(for: key, limit: limit) { shouldStop in
            try work(lazyRenderer.renderer, shouldStop)
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
                try await self.drawing(.comparison(venue), limit: WorkLimit.archive) { renderer, shouldStop in
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

/// A renderer that is made when it is needed.
private final class LazyRenderer: Sendable {
    private let made = Mutex<TileRenderer?>(nil)
    private let fonts: [String]

    /// With the installed fonts, shared by all servers of the process.
    static let installed = LazyRenderer(fonts: TileFonts.installed)

    init(fonts: [String]) {
        self.fonts = fonts
    }

    var renderer: TileRenderer {
        self.made.withLock { made in
            if let made { return made }
            let renderer = TileRenderer(fonts: self.fonts)
            made = renderer
            return renderer
        }
    }
}
