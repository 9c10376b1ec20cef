import FloorTiles
import Foundation
import IMDF
import NIOCore
import RevisionStore
import SyncModel
import Synchronization

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
    private struct LevelKey: Hashable {
        let level: FeatureID
        let digest: Digest
        /// The venue-wide part has the level itself and the features that touch it.
        let venueWide: Digest
        let language: String?
        /// Of the read model: another copy of the database may have other features under the same digest.
        let generation: Int
    }

    private struct TileKey: Hashable {
        let content: Digest
        let format: TileFormat
    }

    let readModel: ReadModel
    /// Made with the first tile, because reading the fonts takes a while.
    private let lazyRenderer: LazyRenderer
    private let permits: FairSemaphore<VenueKey>
    private let levels = LRUCache<LevelKey, PreparedLevel>(cost: 128 << 20)
    private let preparations = SingleFlight<LevelKey, PreparedLevel>()
    private let tiles = LRUCache<TileKey, Tile>(cost: 64 << 20)
    private let drawings = SingleFlight<TileKey, Tile>()
    /// The entity tags of more tiles than there is memory for.
    private let tags = LRUCache<TileKey, String>(cost: 200_000)

    private static let tileOverhead = 256

    /// - Parameter fonts: The files of the fonts for labels; nil for those that are installed.
    init(readModel: ReadModel, fonts: [String]?) {
        self.readModel = readModel
        self.lazyRenderer = fonts.map { LazyRenderer(fonts: $0) } ?? .installed
        // The other cores are left to polls. A tile takes milliseconds, so the queue empties quickly.
        self.permits = FairSemaphore(
            permits: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), queueLimit: 20_000,
            queueLimitPerKey: 12_000)
    }

    var renderer: TileRenderer { self.lazyRenderer.renderer }

    // MARK: - Levels

    /// Prepared levels of a revision, in the given order.
    ///
    /// - Parameter generation: The generation of the read model before the venue was read from it.
    func prepared(
        _ ids: [FeatureID], of venue: VenueRecord, at revision: RevisionRecord, generation: Int
    ) async throws -> [PreparedLevel] {
        let revisions = self.readModel.revisions(of: venue, at: revision.number)
        let states = try await revisions.levelStates(of: venue, at: revision)
        let venueWide = states.first { $0.level == nil }?.digest ?? LevelDigest().finalize()
        var levels: [PreparedLevel] = []
        for id in ids {
            guard let state = states.first(where: { $0.level == id }) else { throw StoreError.historyChanged }
            let key = LevelKey(
                level: id, digest: state.digest, venueWide: venueWide, language: revision.about.language,
                generation: generation)
            levels.append(try await self.level(key, of: venue, at: revision.number))
        }
        return levels
    }

    private func level(_ key: LevelKey, of venue: VenueRecord, at number: Int64) async throws -> PreparedLevel {
        if let level = self.levels.value(for: key) { return level }
        return try await self.preparations.value(for: key) {
            let features = try await self.readModel.read(venue, at: number) { store in
                let own = try await store.feature(key.level, of: venue, at: number)
                let filter = FeatureFilter(levels: [key.level], spanning: true)
                return try await store.features(of: venue, at: number, where: filter) + [own]
            }
            let level = try await self.permits.withPermit(for: venue.key) {
                try await offSharedThreads { _ in
                    PreparedLevel(
                        level: key.level, features: features.map { (id: $0.id, type: $0.type, body: $0.body) },
                        language: key.language)
                }
            }
            self.levels.keep(level, for: key, cost: level.cost)
            return level
        }
    }

    // MARK: - Tiles

    /// The entity tag of a tile: a digest of the edition and the bytes. Nil if it is not known without drawing.
    func knownTag(of levels: [PreparedLevel], at tile: TileAddress, _ variant: TileVariant) -> String? {
        self.tags.value(for: self.key(of: levels, at: tile, variant))
    }

    func tile(
        of levels: [PreparedLevel], at address: TileAddress, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> Tile {
        let key = self.key(of: levels, at: address, variant)
        if let tile = self.tiles.value(for: key) { return tile }
        return try await self.drawings.value(for: key) {
            let (renderer, levels) = (self.renderer, levels)
            let bytes = try await self.permits.withPermit(for: venue) {
                try await offSharedThreads { _ in renderer.tile(of: levels, at: address, variant) }
            }
            let tile = Tile(bytes: ByteBuffer(bytes: bytes), tag: self.tag(of: bytes))
            self.tiles.keep(tile, for: key, cost: bytes.count + Self.tileOverhead)
            self.tags.keep(tile.tag, for: key, cost: 1)
            return tile
        }
    }

    private func key(of levels: [PreparedLevel], at tile: TileAddress, _ variant: TileVariant) -> TileKey {
        let digest = self.renderer.contentDigest(of: levels, at: tile, variant)
        // All empty tiles of a size are the same.
        let empty = Digest(of: "empty \(variant.format == .png ? variant.scale : 1)".utf8)
        return TileKey(content: digest ?? empty, format: variant.format)
    }

    private func tag(of bytes: [UInt8]) -> String {
        String(Digest(of: self.renderer.edition.bytes + bytes).hex.prefix(32))
    }

    // MARK: - Changes

    /// Compares two states of a level.
    func changedTiles(
        from old: PreparedLevel, to new: PreparedLevel, _ variant: TileVariant, for venue: VenueKey
    ) async throws -> ChangedTiles {
        let renderer = self.renderer
        return try await self.permits.withPermit(for: venue) {
            try await offSharedThreads { try renderer.changedTiles(from: old, to: new, variant, isCancelled: $0) }
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
