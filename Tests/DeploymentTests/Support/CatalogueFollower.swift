import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A client that follows all venues.
struct CatalogueFollower: Sendable {
    private(set) var replica = CatalogueReplica()
    /// The newest catalogue position it has held.
    private(set) var position: Int64 = 0

    /// Reads all changes and verifies every digest.
    mutating func pull(limit: Int? = nil, get: Follower.Get) async throws {
        var pages: [CatalogueChangeSet] = []
        repeat {
            let cursor = pages.last?.cursor ?? self.replica.cursor
            let query = [cursor.map { "since=\($0)" }, limit.map { "limit=\($0)" }].compactMap(\.self)
            pages.append(try CatalogueChangeSet(json: await get("/sync?\(query.joined(separator: "&"))")))
        } while pages.last?.isComplete == false
        let to = pages[pages.count - 1].to
        #expect(to >= self.position, "position \(to) after \(self.position)")
        try self.replica.apply(pages)
        self.position = to
    }

    mutating func pull(using random: inout SplitMix64, get: Follower.Get) async throws {
        try await self.pull(limit: Bool.random(using: &random) ? nil : Int.random(in: 5...60, using: &random), get: get)
    }

    /// Reads all changes when nothing changes any more, and checks that the result equals a fresh client.
    mutating func verifyFinalState(get: Follower.Get) async throws {
        try await self.pull(get: get)
        var fresh = CatalogueFollower()
        try await fresh.pull(get: get)
        #expect(self.replica.bodies == fresh.replica.bodies && !self.replica.bodies.isEmpty)
        #expect(self.replica.venues.mapValues(\.digest) == fresh.replica.venues.mapValues(\.digest))
        #expect(self.replica.venues.mapValues(\.revision) == fresh.replica.venues.mapValues(\.revision))
    }
}
