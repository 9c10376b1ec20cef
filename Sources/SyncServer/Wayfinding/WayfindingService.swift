import Caching
import Foundation
import IMDF
import NIOCore
import RevisionStore
import SyncModel
import Synchronization
import Wayfinding

/// Computes routes and reachability in memory: one prepared venue per content, made once for all requests that need it.
final class WayfindingService: Sendable {
    private struct MapKey: Hashable {
        let venue: Int64
        let digest: Digest
        let language: String?
        /// Of the read model: another copy of the database may have other features under the same digest.
        let generation: Int
    }

    /// What has turns of its own.
    private enum WorkKey: Hashable {
        case answer(VenueKey)
        case map(VenueKey)
    }

    /// What a request may cost besides the turns of others. Most routes take milliseconds, a venue of 100,000 features some seconds.
    private enum WorkLimit {
        static let answer = Duration.seconds(10)
        static let map = Duration.seconds(120)
    }

    /// What a response depends on.
    struct ResponseKey: Hashable {
        let venue: Int64
        let epoch: Int64
        let generation: Int
        let tag: String
    }

    private let readModel: ReadModel
    private let maps = LRUCache<MapKey, WayfindingVenue>(cost: 256 << 20)
    /// The last venue that is too large for the cache, so that not every request for it prepares it again.
    private let largeMap = Mutex<(key: MapKey, map: WayfindingVenue)?>(nil)
    private let builds = SingleFlight<MapKey, WayfindingVenue>()
    /// All features of a venue are held in memory while it is prepared.
    private let buildPermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 256, queueLimitPerKey: 32)
    /// The other cores are left to polls. A route takes milliseconds, so the queue empties quickly.
    private let permits = FairSemaphore<WorkKey>(
        permits: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), permitsPerKey: 1, queueLimit: 4_096,
        queueLimitPerKey: 1_024)
    private let responses = LRUCache<ResponseKey, ByteBuffer>(cost: 16 << 20)
    private let answers = SingleFlight<ResponseKey, ByteBuffer>()

    private static let responseOverhead = 512

    init(readModel: ReadModel) {
        self.readModel = readModel
    }

    /// A revision, prepared.
    ///
    /// - Parameter generation: The generation of the read model before the venue was read from it.
    func venue(_ venue: VenueRecord, at revision: RevisionRecord, generation: Int) async throws -> WayfindingVenue {
        let key = MapKey(
            venue: venue.id, digest: revision.digest, language: revision.about.language, generation: generation)
        if let map = self.keptMap(for: key) { return map }
        return try await self.builds.value(for: key) {
            try await self.buildPermits.withPermit(for: venue.key) {
                // It may have been made while this waited for a permit.
                if let map = self.keptMap(for: key) { return map }
                let features = try await self.readModel.read(venue, at: revision.number) { store in
                    try await store.features(of: venue, at: revision.number, where: .everything)
                }
                let map = try await self.permits.inTurns(for: .map(venue.key), limit: WorkLimit.map) { shouldStop in
                    WayfindingVenue(features, language: key.language, shouldStop: shouldStop)
                }
                if !self.maps.keep(map, for: key, cost: map.cost) { self.largeMap.withLock { $0 = (key, map) } }
                return map
            }
        }
    }

    private func keptMap(for key: MapKey) -> WayfindingVenue? {
        self.maps.value(for: key) ?? self.largeMap.withLock { $0?.key == key ? $0?.map : nil }
    }

    /// The response to a request, made once for all equal ones.
    func response(
        for key: ResponseKey, of venue: VenueKey,
        _ work: @escaping @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws -> [UInt8]
    ) async throws -> ByteBuffer {
        if let response = self.responses.value(for: key) { return response }
        return try await self.answers.value(for: key) {
            let bytes = try await self.permits.inTurns(for: .answer(venue), limit: WorkLimit.answer, work)
            let response = ByteBuffer(bytes: bytes)
            self.responses.keep(response, for: key, cost: bytes.count + Self.responseOverhead)
            return response
        }
    }
}
