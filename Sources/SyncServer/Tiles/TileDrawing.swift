import FloorTiles
import Foundation
import IMDF
import SyncModel
import Synchronization

/// Draws tiles and what belongs to them with one renderer, in turns.
final class TileDrawing: Sendable {
    /// What has turns of its own.
    enum Key: Hashable {
        case tiles(VenueKey)
        case archive(VenueKey)
        case comparison(VenueKey)
        /// Levels that are prepared for drawing.
        case levels(VenueKey)
        /// Glyphs and sprites.
        case symbols(VenueKey)
    }

    /// What a request may cost besides the turns of others, unless it is for a single tile. The archives of real floors take a minute, and a
    /// level of 100,000 features some seconds.
    enum Limit {
        static let level = Duration.seconds(120)
        static let archive = Duration.seconds(600)
    }

    /// How many requests of one venue wait for a permit at most.
    static let queueLimitPerVenue = 12_000

    /// All kinds of work but tiles have permits of their own besides: for two archives, two comparisons, two blocks of glyphs and three
    /// levels. Sprites are not paused. So the tiles of fifteen venues may take long before new work has to wait until some of it ends.
    static let maximumPaused = 24

    /// The other cores are left to polls. A tile takes milliseconds, so the queue empties quickly.
    static let permitCount = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)

    /// A venue has one turn at a time for single tiles, and one for each other kind of work.
    let permits: FairSemaphore<Key>
    /// Made with the first tile, because reading the fonts takes a while.
    private let lazyRenderer: LazyRenderer

    /// What a request for a tile, glyphs or a sprite may cost besides the turns of others. A tile of real floors takes milliseconds.
    private let tileLimit: Duration

    /// - Parameter fonts: The files of the fonts for labels; nil for those that are installed.
    init(fonts: [String]?, tileLimit: Duration) {
        self.tileLimit = tileLimit
        self.lazyRenderer = fonts.map { LazyRenderer(fonts: $0) } ?? .installed
        self.permits = FairSemaphore(
            permits: Self.permitCount, permitsPerKey: 1, queueLimit: 20_000,
            queueLimitPerKey: Self.queueLimitPerVenue, maximumPaused: Self.maximumPaused)
    }

    /// What all tiles depend on besides features and venues. The first call reads the fonts, which takes a while.
    var edition: Digest { self.lazyRenderer.renderer.edition }

    /// Runs work that draws, in turns.
    ///
    /// - Parameter limit: Nil for that of a tile.
    func run<Value: Sendable>(
        _ key: Key, limit: Duration? = nil,
        _ work: @escaping @Sendable (TileRenderer, _ shouldStop: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let lazyRenderer = self.lazyRenderer
        return try await self.permits.inTurns(for: key, limit: limit ?? self.tileLimit) { shouldStop in
            try work(lazyRenderer.renderer, shouldStop)
        }
    }
}

/// A key of what is made for one venue. Venues do not share what is being made, so that none waits in the queue of another; they share what
/// is kept.
struct OfVenue<Key: Hashable & Sendable>: Hashable {
    let venue: VenueKey
    let key: Key
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
