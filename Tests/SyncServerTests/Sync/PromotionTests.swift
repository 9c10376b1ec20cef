import DeltaForm
import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// A database that continues on a later timeline of the same server, as after a promotion.
@Suite(.server)
struct PromotionTests {
    /// Lets the timeline of the server be later than the one on which the database was last seen.
    private static func promote(_ harness: Harness) async throws {
        _ = try await harness.store.pool.query(
            "UPDATE lineage SET timeline = timeline - 1, writer_xid = pg_current_xact_id()::xid")
    }

    /// Publishes three revisions and returns a cursor of each.
    private static func prepare(_ harness: Harness) async throws -> [Cursor] {
        _ = try await harness.store.checkLineage()
        var venue = SampleVenue.tiny
        var cursors: [Cursor] = []
        for seed in 0..<3 as Range<UInt64> {
            try await harness.push(venue.archive())
            venue = venue.edited(Edit(.rename, 1), seed: seed)
            cursors.append(try await harness.sync().cursor)
        }
        return cursors
    }

    private static let key = VenueKey("mall")!

    @Test func `promotion: the epoch is renewed before anything is shown, and cursors stay valid`() async throws {
        let harness = Harness.current
        let cursors = try await Self.prepare(harness)
        let replica = try await harness.pages(since: cursors[1])
        try await Self.promote(harness)
        // Nobody has called checkLineage(): the refresh does, and nothing is shown under the former epoch.
        let now = try await harness.sync().cursor
        #expect(now.epoch != cursors[2].epoch)
        #expect(try await harness.sync("since=\(cursors[2])").blocks.isEmpty)
        #expect(try await harness.sync("since=\(cursors[2])").cursor == now)
        let continued = try await harness.pages(since: cursors[1])
        #expect(continued.map(\.blocks) == replica.map(\.blocks) && continued.last?.cursor == now)
        // The delta form describes the new cursor by that of the request, which is another one here.
        for cursor in [cursors[1], cursors[2]] {
            let delta = try await harness.send(.get, "/venues/mall/sync?since=\(cursor)&form=delta")
            let next = try DeltaDocument(Array(delta.data)).cursor
            #expect(try next.cursor(since: cursor.description) == now.description)
        }
        // The address may have named a revision that was lost, so no cache keeps the response.
        let pinned = try await harness.send(.get, "/venues/mall/sync?since=\(cursors[0])&to=2")
        #expect(pinned.status == .ok && pinned.headers[.cacheControl]?.contains("no-store") == true)
        let present = try await harness.sync("to=1").cursor
        let immutable = try await harness.send(.get, "/venues/mall/sync?since=\(present)&to=2")
        #expect(immutable.headers[.cacheControl]?.contains("immutable") == true)
        #expect(try await harness.store.checkLineage() == .unchanged)
    }

    @Test func `promotion: tiles of a numbered revision have another address`() async throws {
        let harness = Harness.current
        _ = try await Self.prepare(harness)
        func addresses() async throws -> JSONValue? {
            try await harness.send(.get, "/venues/mall/revisions/2/tiles/0.json").json["tiles"]
        }
        let before = try await addresses()
        try await Self.promote(harness)
        // Another revision may have had the number on the former server.
        let after = try await addresses()
        #expect(before != nil && after != nil && before != after)
    }

    @Test func `promotion: pages of a change set and addresses for starting over continue`() async throws {
        let harness = Harness.current
        let cursors = try await Self.prepare(harness)
        let page = try await harness.sync("limit=2").cursor
        _ = try await harness.send(.post, "/venues/mall/epoch")
        let lost = try await harness.send(.get, "/venues/mall/sync?since=\(cursors[2])")
        let hrefs = try #require(lost.json["levels"]?.array).compactMap { $0["href"]?.string }
        let present = try await harness.sync("limit=2").cursor
        try await Self.promote(harness)
        #expect(try await harness.send(.get, "/venues/mall/sync?since=\(present)&limit=2").status == .ok)
        for href in hrefs { #expect(try await harness.send(.get, href).status == .ok) }
        // A renewal by hand says that the history is not continued, also after a promotion.
        try await harness.send(.get, "/venues/mall/sync?since=\(page)&limit=2").problem(410)
        _ = try await harness.send(.post, "/venues/mall/epoch")
        try await harness.send(.get, "/venues/mall/sync?since=\(present)&limit=2").problem(410)
        for href in hrefs { try await harness.send(.get, href).problem(410) }
    }

    @Test func `promotion: a cursor of a revision that was lost is answered 410`() async throws {
        let harness = Harness.current
        let cursors = try await Self.prepare(harness)
        let page = try await harness.sync("limit=2").cursor
        try await Self.promote(harness)
        #expect(try await harness.store.checkLineage() == .promoted(venues: 1))
        // As if the third revision had not reached the standby, and another one was published there instead.
        _ = try await harness.store.pool.query("UPDATE venue SET former_epochs[2] = 2")
        for cursor in [cursors[0], cursors[1]] {
            #expect(try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").status == .ok)
        }
        for cursor in [cursors[2], page] {
            try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").problem(410)
        }
    }

    @Test func `promotion: cursors stay valid through several promotions, up to a limit`() async throws {
        let harness = Harness.current
        let cursors = try await Self.prepare(harness)
        for promotion in 1...17 {
            try await Self.promote(harness)
            #expect(try await harness.store.checkLineage() == .promoted(venues: 1))
            let response = try await harness.send(.get, "/venues/mall/sync?since=\(cursors[2])")
            #expect(response.status == (promotion <= 16 ? .ok : .gone), "promotion \(promotion)")
        }
        #expect(try await harness.store.venue(Self.key).formerEpochs.count == 16)
    }

    @Test func `promotion: a copy on another server, or of a dump, is none`() async throws {
        let harness = Harness.current
        let cursors = try await Self.prepare(harness)
        for change in ["system_identifier = 7", "database_id = 7", "timeline = timeline - 1, writer_xid = '3'"] {
            let cursor = try await harness.sync().cursor
            _ = try await harness.store.pool.query(
                "UPDATE lineage SET timeline = timeline - 1, writer_xid = pg_current_xact_id()::xid")
            _ = try await harness.store.pool.query("UPDATE lineage SET \(raw: change)")
            _ = try await harness.store.checkLineage()
            try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").problem(410)
        }
        try await harness.send(.get, "/venues/mall/sync?since=\(cursors[2])").problem(410)
    }

    @Test func `promotion: a writer that was paused meanwhile publishes nothing under the former epoch`() async throws {
        let harness = Harness.current
        let cursors = try await Self.prepare(harness)
        let venue = try await harness.store.venue(Self.key)
        try await Self.promote(harness)
        let restoration = Restoration(
            venue: venue, base: 3, restores: 1, message: nil, changes: ChangeSummary(added: 0, changed: 0, removed: 0),
            facts: [])
        await #expect(throws: StoreError.headMoved) { try await harness.store.publish(restoration, by: .ops) }
        let renewed = try await harness.store.venue(Self.key)
        #expect(renewed.head == 3 && renewed.epoch != venue.epoch)
        #expect(renewed.formerEpochs == [FormerEpoch(epoch: venue.epoch, last: 3)])
        // A worker compares again and publishes.
        let upload = try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2)).archive())
        #expect(upload.revision == 4)
        #expect(try await harness.sync("since=\(cursors[2])").to == 4)
    }
}
