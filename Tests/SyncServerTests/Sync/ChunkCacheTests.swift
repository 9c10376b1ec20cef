import Compression
import IMDF
import NIOCore
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import Synchronization
import TestSupport
import Testing

@Suite(.server)
struct ChunkCacheTests {
    private struct Broken: Error {}

    /// Reads bodies from the database and records which were requested.
    private final class Readings: Sendable {
        let store = TestDatabase.current.store
        let requested = Mutex<[[FeatureID]]>([])

        func cache(bytes: Int = 48 << 20, before: @escaping @Sendable () async throws -> Void = {}) -> ChunkCache {
            ChunkCache(bytes: bytes) { selections in
                self.requested.withLock { $0 += selections.map { $0.versions.map(\.feature) } }
                try await before()
                return try await self.store.bodies(of: selections.map { ($0.source.venue, $0.versions) })
            }
        }
    }

    private static let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 300))

    /// The chunks of a revision as a FeatureCollection, and its text.
    private static func chunks(
        _ harness: Harness, at revision: Int64 = 1, generation: Int = 0
    ) async throws -> (chunks: [ResponseChunk], text: [UInt8]) {
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        let versions = try await harness.store.versions(of: venue, at: revision)
        let bodies = try await harness.store.bodies(of: versions, in: venue)
        let text =
            Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
            + bodies.joined(separator: Array(",\n".utf8)) + Array("\n]}\n".utf8)
        return (ResponseChunker.chunks(of: versions, from: .init(venue: venue), generation: generation), text)
    }

    private static func names(_ chunks: [ResponseChunk], in coding: ContentCoding?) -> [(ChunkCache.Key, ResponseChunk)]
    {
        var offset = 0
        return chunks.map { chunk in
            defer { offset += chunk.length }
            return (ChunkCache.Key(chunk.digest, in: coding, at: offset), chunk)
        }
    }

    private static func read(_ chunks: [ResponseChunk], from cache: ChunkCache, in coding: ContentCoding?) async throws
        -> [UInt8]
    {
        var body: [UInt8] = []
        var joiner = coding.map(ChunkJoiner.init)
        body += joiner?.opening ?? []
        for (name, chunk) in Self.names(chunks, in: coding) {
            let ready = try await cache.encoded(name) { chunk }
            if let checksum = ready.checksum { joiner?.append(checksum) }
            body += ready.bytes.readableBytesView
        }
        return body + (joiner?.closing ?? [])
    }

    @Test func `chunk cache reads each body once for 32 concurrent readers in every encoding`() async throws {
        let harness = Harness.current
        try await harness.push(Self.venue.archive())
        let (chunks, text) = try await Self.chunks(harness)
        #expect(chunks.count > 3)
        let readings = Readings()
        let cache = readings.cache()
        let codings: [ContentCoding?] = [nil] + ContentCoding.allCases
        let bodies = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { tasks in
            for reader in 0..<32 {
                tasks.addTask { (reader, try await Self.read(chunks, from: cache, in: codings[reader % 4])) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        for (reader, body) in bodies {
            let plain = try codings[reader % 4]?.decoded(body) ?? body
            #expect(plain == text, "reader \(reader)")
        }
        let requested = readings.requested.withLock { $0.flatMap(\.self) }
        #expect(requested.count == Self.venue.features.count && Set(requested).count == requested.count)
    }

    @Test func `chunk cache stays within its bound and reads evicted chunks again`() async throws {
        let harness = Harness.current
        try await harness.push(Self.venue.archive())
        let (chunks, text) = try await Self.chunks(harness)
        let readings = Readings()
        let bound = text.count / 2
        let cache = readings.cache(bytes: bound)
        for _ in 0..<3 {
            #expect(try await Self.read(chunks, from: cache, in: nil) == text)
            let kept = Self.names(chunks, in: nil).compactMap { cache.cached($0.0)?.bytes.readableBytes }
            #expect(kept.reduce(0, +) <= bound && !kept.isEmpty && kept.count < chunks.count)
        }
    }

    @Test func `chunk cache keeps reading for other readers when one is cancelled`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (chunks, text) = try await Self.chunks(harness)
        let readings = Readings()
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let cache = readings.cache { for await _ in gate { break } }
        let first = Task { try await Self.read(chunks, from: cache, in: .gzip) }
        try await harness.until { readings.requested.withLock(\.count) == 1 }
        let second = Task { try await Self.read(chunks, from: cache, in: .gzip) }
        try await harness.until { cache.waiting == 2 }
        first.cancel()
        opening.finish()
        #expect(try await ContentCoding.gzip.decoded(second.value) == text)
        #expect(readings.requested.withLock { $0.flatMap(\.self) }.count == SampleVenue.tiny.features.count)
    }

    @Test func `chunk cache cancels a read when its last reader is cancelled`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let chunks = try await Self.chunks(harness).chunks
        let isCancelled = Mutex(false)
        let readings = Readings()
        let cache = readings.cache {
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                isCancelled.withLock { $0 = true }
                throw error
            }
        }
        let readers = (0..<2).map { _ in Task { try await Self.read(chunks, from: cache, in: .gzip) } }
        try await harness.until { cache.waiting == 2 && readings.requested.withLock(\.count) == 1 }
        readers[0].cancel()
        try await harness.until { cache.waiting == 1 }
        #expect(isCancelled.withLock { !$0 })
        readers[1].cancel()
        try await harness.until { isCancelled.withLock(\.self) }
        for reader in readers { await #expect(throws: CancellationError.self) { try await reader.value } }
    }

    @Test func `chunk cache does not keep errors`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (chunks, text) = try await Self.chunks(harness)
        let readings = Readings()
        let isBroken = Mutex(true)
        let cache = readings.cache { if isBroken.withLock(\.self) { throw Broken() } }
        await #expect(throws: Broken.self) { try await Self.read(chunks, from: cache, in: .gzip) }
        await #expect(throws: Broken.self) { try await Self.read(chunks, from: cache, in: nil) }
        isBroken.withLock { $0 = false }
        #expect(try await ContentCoding.gzip.decoded(Self.read(chunks, from: cache, in: .gzip)) == text)
    }

    @Test func `chunks mostly survive a small change, and none survives a change of history`() async throws {
        let harness = Harness.current
        try await harness.push(Self.venue.archive())
        let before = try await Self.chunks(harness).chunks
        try await harness.push(Self.venue.edited(Edit(.rename, 1)).archive())
        let after = try await Self.chunks(harness, at: 2).chunks
        let digests = Set(before.map(\.digest))
        let changed = after.filter { !digests.contains($0.digest) }.count
        #expect((1...2).contains(changed))
        let another = try await Self.chunks(harness, generation: 1).chunks.map(\.digest)
        #expect(digests.isDisjoint(with: another))
    }
}
