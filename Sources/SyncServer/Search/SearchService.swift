import Caching
import Foundation
import IMDF
import IMDFArchive
import NIOCore
import RevisionStore
import SyncModel
import Synchronization
import VenueMap

/// Searches the newest revisions of venues in memory: one index per content of a venue, made once for all requests that need it.
final class SearchService: Sendable {
    private struct IndexKey: Hashable {
        let venue: Int64
        let digest: Digest
        let language: String?
        /// Of the read model: another copy of the database may have other features under the same digest.
        let generation: Int
    }

    /// What has turns of its own.
    private enum WorkKey: Hashable {
        case search(VenueKey)
        case index(VenueKey)
    }

    /// What a request may cost besides the turns of others. Most searches take milliseconds, an index of 100,000 features some seconds.
    private enum WorkLimit {
        static let search = Duration.seconds(10)
        static let index = Duration.seconds(300)
    }

    /// What a response depends on.
    struct ResponseKey: Hashable {
        let venue: Int64
        let epoch: Int64
        let generation: Int
        let tag: String
    }

    private let readModel: ReadModel
    private let indexes: LRUCache<IndexKey, SearchIndex>
    /// The last index that is too large for the cache, so that not every search of its venue makes it again.
    private let largeIndex = Mutex<(key: IndexKey, index: SearchIndex)?>(nil)
    private let builds = SingleFlight<IndexKey, SearchIndex>()
    /// All features of a venue are held in memory while its index is made.
    private let buildPermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 256, queueLimitPerKey: 32)
    /// The other cores are left to polls. A search takes milliseconds, so the queue empties quickly.
    private let permits = FairSemaphore<WorkKey>(
        permits: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), permitsPerKey: 1, queueLimit: 4_096,
        queueLimitPerKey: 1_024)
    private let responses = LRUCache<ResponseKey, ByteBuffer>(cost: 16 << 20)
    private let searches = SingleFlight<ResponseKey, ByteBuffer>()
    private let counter: Counter

    private static let responseOverhead = 512

    /// - Parameter bytes: The bound for all indexes. Of those that take more than half of it, the last one is kept besides.
    init(readModel: ReadModel, bytes: Int, metrics: Metrics) {
        self.readModel = readModel
        self.indexes = LRUCache(cost: bytes)
        self.counter = metrics.counter("venue_search_indexes_total", help: "Search indexes that were made.")
    }

    /// The index of a revision.
    ///
    /// - Parameter generation: The generation of the read model before the venue was read from it.
    func index(of venue: VenueRecord, at revision: RevisionRecord, generation: Int) async throws -> SearchIndex {
        let key = IndexKey(
            venue: venue.id, digest: revision.digest, language: revision.about.language, generation: generation)
        if let index = self.keptIndex(for: key) { return index }
        return try await self.builds.value(for: key) {
            try await self.buildPermits.withPermit(for: venue.key) {
                // It may have been made while this waited for a permit.
                if let index = self.keptIndex(for: key) { return index }
                let features = try await self.readModel.read(venue, at: revision.number) { store in
                    try await store.features(of: venue, at: revision.number, where: .everything)
                }
                let index = try await self.permits.inTurns(for: .index(venue.key), limit: WorkLimit.index) {
                    shouldStop in
                    let reader = JSONReader()
                    let map = VenueMap(
                        features.map { .init(id: $0.id, type: $0.type, level: $0.level, body: $0.body) },
                        language: key.language
                    ) { shouldStop() ? nil : try? reader.value(of: $0).object }
                    return SearchIndex(map, shouldStop: shouldStop)
                }
                self.counter.add()
                if !self.indexes.keep(index, for: key, cost: index.cost) {
                    self.largeIndex.withLock { $0 = (key, index) }
                }
                return index
            }
        }
    }

    private func keptIndex(for key: IndexKey) -> SearchIndex? {
        self.indexes.value(for: key) ?? self.largeIndex.withLock { $0?.key == key ? $0?.index : nil }
    }

    /// The response to a search, made once for all equal ones.
    func response(
        for key: ResponseKey, of venue: VenueKey,
        _ work: @escaping @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws -> [UInt8]
    ) async throws -> ByteBuffer {
        if let response = self.responses.value(for: key) { return response }
        return try await self.searches.value(for: key) {
            let bytes = try await self.permits.inTurns(for: .search(venue), limit: WorkLimit.search, work)
            let response = ByteBuffer(bytes: bytes)
            self.responses.keep(response, for: key, cost: bytes.count + Self.responseOverhead)
            return response
        }
    }
}
