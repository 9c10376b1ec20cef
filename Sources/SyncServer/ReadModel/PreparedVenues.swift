import Caching
import Foundation
import IMDF
import NIOCore
import RevisionStore
import SyncModel

/// What is computed in memory from revisions of venues, such as an index for searches or a map for routes: once for each content of a venue,
/// and responses from it once for all equal requests.
final class PreparedVenues<Content: Sendable>: Sendable {
    /// Prepares the features of a revision, and may take over what is the same in the content of another one of the venue. It calls the
    /// function often, which waits for turns and says whether to stop.
    typealias Prepare =
        @Sendable (
            _ features: [FeatureRecord], _ language: String?, _ former: Content?,
            _ shouldStop: @escaping @Sendable () -> Bool
        ) -> Content

    private struct ContentKey: Hashable {
        let venue: Int64
        let digest: Digest
        let language: String?
        /// Of the read model: another copy of the database may have other features under the same digest.
        let generation: Int
    }

    /// Who looks at earlier revisions of a venue does not delay those who look at the newest one.
    private struct RevisionPayer: Hashable {
        let venue: Int64
        let isNewest: Bool
    }

    private struct ResponseKey: Hashable {
        let venue: Int64
        let epoch: Int64
        let generation: Int
        let tag: String
    }

    /// What has turns of its own.
    enum WorkKey: Hashable {
        case content(VenueKey)
        case response(VenueKey)
    }

    /// What a request may cost besides the turns of others. Most responses take milliseconds, a venue of 100,000 features some seconds.
    private static var responseLimit: Duration { .seconds(10) }
    private static var responseOverhead: Int { 512 }

    private let readModel: ReadModel
    private let contentLimit: Duration
    private let cost: @Sendable (Content) -> Int
    private let prepare: Prepare
    private let contents: LRUCache<ContentKey, Content>
    /// The last content of each venue that was prepared.
    private let latest = LRUCache<Int64, ContentKey>(cost: 2_048)
    private let preparations = SingleFlight<ContentKey, Content>()
    /// Without it, requests for two venues that do not fit into the cache would cost seconds of work each.
    private let remakes: RemakeLimit<RevisionPayer, ContentKey>
    /// All features of a venue are held in memory while it is prepared.
    private let preparationPermits = FairSemaphore<VenueKey>(
        permits: 2, permitsPerKey: 1, queueLimit: 256, queueLimitPerKey: 32)
    /// The other cores are left to polls. A response takes milliseconds, so the queue empties quickly. At most two contents are prepared,
    /// so the responses of 22 venues may take long before new work has to wait until some of it ends.
    let permits = FairSemaphore<WorkKey>(
        permits: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), permitsPerKey: 1, queueLimit: 4_096,
        queueLimitPerKey: 1_024, maximumPaused: 24)
    private let responses = LRUCache<ResponseKey, ByteBuffer>(cost: 16 << 20)
    private let computations = SingleFlight<ResponseKey, ByteBuffer>()

    /// - Parameters:
    ///   - bytes: The bound for all contents. Of those that take more than half of it, the last one is kept besides.
    ///   - contentLimit: The processor time that preparing a venue may take.
    ///   - clock: The time by which the making of contents that do not fit into the cache is limited.
    ///   - cost: About how many bytes a content takes.
    init(
        readModel: ReadModel, bytes: Int, contentLimit: Duration,
        clock: @escaping @Sendable () -> ContinuousClock.Instant, cost: @escaping @Sendable (Content) -> Int,
        prepare: @escaping Prepare
    ) {
        self.readModel = readModel
        self.contentLimit = contentLimit
        self.cost = cost
        self.prepare = prepare
        self.contents = LRUCache(cost: bytes, keepsLarge: true)
        self.remakes = RemakeLimit(now: clock)
    }

    /// What a revision was prepared to.
    ///
    /// - Parameter generation: The generation of the read model before the venue was read from it.
    /// - Throws: ``RemakeRefused`` if it is too large for the cache and would be made again too soon, besides what the work throws.
    func content(of venue: VenueRecord, at revision: RevisionRecord, generation: Int) async throws -> Content {
        let key = ContentKey(
            venue: venue.id, digest: revision.digest, language: revision.about.language, generation: generation)
        if let content = self.contents.value(for: key) { return content }
        return try await self.preparations.value(for: key) {
            try await self.preparationPermits.withPermit(for: venue.key) {
                // It may have been made while this waited for a permit.
                if let content = self.contents.value(for: key) { return content }
                let isLarge: ((content: Content, cost: Int)) -> Bool = { self.contents.isLarge($0.cost) }
                let payer = RevisionPayer(venue: venue.id, isNewest: revision.number == venue.head)
                let (content, cost) = try await self.remakes.make(
                    key, for: payer, isNew: payer.isNewest, isLarge: isLarge
                ) {
                    try await self.newContent(key, of: venue, at: revision.number)
                }
                self.contents.keep(content, for: key, cost: cost)
                self.latest.keep(key, for: key.venue, cost: 1)
                return content
            }
        }
    }

    private func newContent(
        _ key: ContentKey, of venue: VenueRecord, at number: Int64
    ) async throws -> (content: Content, cost: Int) {
        let features = try await self.readModel.read(venue, at: number) { store in
            try await store.features(of: venue, at: number, where: .everything)
        }
        return try await self.permits.inTurns(for: .content(venue.key), limit: self.contentLimit) {
            shouldStop -> (content: Content, cost: Int) in
            let former = self.latest.value(for: key.venue).flatMap { self.contents.peek($0) }
            let content = self.prepare(features, key.language, former, shouldStop)
            // The cost of many names takes a while, too.
            return (content, self.cost(content))
        }
    }

    /// The response to a request, made once for all equal ones.
    ///
    /// - Parameter tag: Names everything that the response depends on.
    func response(
        tagged tag: String, of venue: VenueRecord, generation: Int,
        _ work: @escaping @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws -> [UInt8]
    ) async throws -> ByteBuffer {
        let key = ResponseKey(venue: venue.id, epoch: venue.epoch, generation: generation, tag: tag)
        if let response = self.responses.value(for: key) { return response }
        return try await self.computations.value(for: key) {
            let bytes = try await self.permits.inTurns(for: .response(venue.key), limit: Self.responseLimit, work)
            let response = ByteBuffer(bytes: bytes)
            self.responses.keep(response, for: key, cost: bytes.count + Self.responseOverhead)
            return response
        }
    }
}
