import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A client that follows every venue at once.
struct CatalogueFollower: Sendable {
    private(set) var replica = CatalogueReplica()
    /// The newest place among all publications that it knows of.
    private(set) var position: Int64 = 0

    /// Reads everything new; every digest that comes along is verified.
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

    /// Once all is quiet: it holds what somebody sees who comes anew.
    mutating func settle(get: Follower.Get) async throws {
        try await self.pull(get: get)
        var newcomer = CatalogueFollower()
        try await newcomer.pull(get: get)
        #expect(self.replica.bodies == newcomer.replica.bodies && !self.replica.bodies.isEmpty)
        #expect(self.replica.venues.mapValues(\.digest) == newcomer.replica.venues.mapValues(\.digest))
        #expect(self.replica.venues.mapValues(\.revision) == newcomer.replica.venues.mapValues(\.revision))
    }
}
