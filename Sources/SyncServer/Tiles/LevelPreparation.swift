import Caching
import FloorTiles
import IMDF
import RevisionStore
import SyncModel
import VenueMap

/// Prepares levels for drawing, each once for all requests that need it, in bounded memory.
///
/// A prepared level is kept by content, so a publication that does not change the level keeps it.
final class LevelPreparation: Sendable {
    /// What a prepared level depends on.
    struct Key: Hashable {
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
        let key: Key
        let prepared: PreparedLevel
    }

    private let readModel: ReadModel
    private let drawing: TileDrawing
    /// A level is held in memory as a whole while it is prepared, so few are prepared at the same time: of one venue the two states of a
    /// comparison.
    let permits = FairSemaphore<VenueKey>(permits: 3, queueLimit: 256, queueLimitPerKey: 32)
    private let levels: LRUCache<Key, PreparedLevel>
    private let preparations = SingleFlight<OfVenue<Key>, PreparedLevel>(joinTimeout: .seconds(60))
    private let appearances = LRUCache<JSONValue, MapAppearance?>(cost: 1_000)

    /// - Parameters:
    ///   - drawing: What the preparation takes turns with.
    ///   - bytes: The bound for all levels. Of those that take more than half of it, the last one is kept besides.
    init(readModel: ReadModel, drawing: TileDrawing, bytes: Int = 128 << 20) {
        self.readModel = readModel
        self.drawing = drawing
        self.levels = LRUCache(cost: bytes, keepsLarge: true)
    }

    /// The appearance of a venue, read once for all requests.
    func appearance(of venue: VenueRecord) -> MapAppearance? {
        guard let value = venue.settings.appearance else { return nil }
        // It was checked when it was set.
        return self.appearances.value(for: value, cost: { _ in 1 }) { try? MapAppearance(value) }
    }

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
            let key = Key(
                level: id, digest: digest, venueWide: venueWide, language: revision.about.language,
                appearance: appearance, generation: generation)
            levels.append(Level(key: key, prepared: try await self.level(key, of: venue, at: revision.number)))
        }
        return levels
    }

    private func level(_ key: Key, of venue: VenueRecord, at number: Int64) async throws -> PreparedLevel {
        if let level = self.levels.value(for: key) { return level }
        return try await self.preparations.value(for: OfVenue(venue: venue.key, key: key)) {
            let level = try await self.permits.withPermit(for: venue.key) {
                if let known = self.levels.value(for: key) { return known }
                let features = try await self.readModel.read(venue, at: number) { store in
                    let own = try await store.feature(key.level, of: venue, at: number)
                    let filter = FeatureFilter(levels: [key.level], spanning: true)
                    return try await store.features(of: venue, at: number, where: filter) + [own]
                }
                return try await self.drawing.permits.inTurns(
                    for: .levels(venue.key), limit: TileDrawing.Limit.level
                ) { shouldStop in
                    PreparedLevel(
                        level: key.level, features: features.map { (id: $0.id, type: $0.type, body: $0.body) },
                        language: key.language, appearance: key.appearance, shouldStop: shouldStop)
                }
            }
            self.levels.keep(level, for: key, cost: level.cost)
            return level
        }
    }
}
