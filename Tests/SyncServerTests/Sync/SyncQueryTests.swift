import Hummingbird
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// The parameters of `GET /venues/{venue}/sync` without a server.
@Suite(.database)
struct SyncQueryTests {
    private static let seal = CursorSeal(secret: [1, 2, 3])

    private static func query(_ text: String, of venue: VenueRecord) throws -> SyncQuery {
        try SyncQuery(QueryValues(Request("/venues/mall/sync?\(text)")), of: venue, sealedBy: Self.seal)
    }

    /// A cursor of everything at a revision of a venue.
    private static func cursor(
        at revision: Int64, of venue: VenueRecord, page: Cursor.Page? = nil, seal: CursorSeal = Self.seal
    ) -> Cursor {
        let holding = Cursor.Holding(revision: revision, digestPrefix: 0, levels: .all)
        return seal.sealed(Cursor(epoch: venue.epoch, holding: holding, page: page))
    }

    /// Runs a test with the record of a venue of two revisions.
    private func withVenue(_ test: @escaping @Sendable (VenueRecord) throws -> Void) async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue.tiny.archive())
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            try test(await harness.store.venue(#require(VenueKey("mall"))))
        }
    }

    @Test func `sync query has defaults, and takes its values from the parameters`() async throws {
        try await self.withVenue { venue throws in
            let plain = try Self.query("", of: venue)
            #expect(plain.since == nil && plain.to == nil && plain.limit == 5_000 && plain.levels == .everything)
            #expect(plain.isOfThisHistory && !plain.isAhead && !plain.isPinned)
            let cursor = Self.cursor(at: 1, of: venue)
            let full = try Self.query("since=\(cursor)&to=2&limit=60000&level=venue", of: venue)
            #expect(full.since == cursor && full.to == 2 && full.limit == 50_000)
            #expect(full.levels.names == [.venueWide] && full.isOfThisHistory && full.isPinned && !full.isAhead)
        }
    }

    @Test func `sync query is pinned by a revision or a page, if it has a cursor`() async throws {
        try await self.withVenue { venue throws in
            let page = Self.cursor(at: 1, of: venue, page: .init(to: 2, selected: .all, offset: 3))
            #expect(try Self.query("since=\(page)", of: venue).isPinned)
            #expect(try !Self.query("since=\(Self.cursor(at: 1, of: venue))", of: venue).isPinned)
            #expect(try !Self.query("to=2", of: venue).isPinned)
        }
    }

    @Test func `sync query ahead of the venue is recognised`() async throws {
        try await self.withVenue { venue throws in
            var renewed = Self.cursor(at: 1, of: venue)
            renewed.epoch ^= 1
            let cursors = [
                Self.cursor(at: 3, of: venue), Self.seal.sealed(renewed),
                Self.cursor(at: 1, of: venue, page: .init(to: 3, selected: .all, offset: 1)),
                Self.cursor(at: 1, of: venue, seal: CursorSeal(secret: [9])),
            ]
            for text in cursors.map({ "since=\($0)" }) + ["to=3"] {
                #expect(try Self.query(text, of: venue).isAhead, "\(text)")
            }
        }
    }

    @Test
    func `sync query with a malformed cursor is refused, and a cursor of another database is not of this history`()
        async throws
    {
        try await self.withVenue { venue throws in
            #expect(throws: StoreError.self) { try Self.query("since=x", of: venue) }
            #expect(throws: StoreError.self) { try Self.query("since=\(Self.cursor(at: 1, of: venue))A", of: venue) }
            let foreign = Self.cursor(at: 1, of: venue, seal: CursorSeal(secret: [9]))
            #expect(try !Self.query("since=\(foreign)", of: venue).isOfThisHistory)
        }
    }

    @Test func `sync query: equal queries share one entry of the response cache`() async throws {
        try await self.withVenue { venue throws in
            let cursor = Self.cursor(at: 1, of: venue)
            let query = try Self.query("since=\(cursor)&limit=7", of: venue)
            #expect(try Set([query, Self.query("limit=7&since=\(cursor)", of: venue)]).count == 1)
            for other in ["limit=7", "since=\(cursor)&limit=8", "since=\(cursor)&limit=7&to=2"] {
                #expect(try Self.query(other, of: venue) != query, "\(other)")
            }
        }
    }
}
