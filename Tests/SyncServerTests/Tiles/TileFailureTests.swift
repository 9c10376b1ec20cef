import FloorTiles
import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

/// Tiles that cannot be drawn now.
@Suite(.server)
struct TileFailureTests {
    /// No cache may keep the response, and the client learns when to try again.
    private static func expectUnavailable(_ response: TestResponse) throws {
        let problem = try response.problem(503)
        #expect(problem.status == 503)
        #expect(response.headers[.retryAfter] == "1" && response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.eTag] == nil)
    }

    @Test func `a tile for which too many wait is answered 503, and no cache keeps that`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        let permits = harness.server.tiles.drawing.permits
        let venue = try #require(VenueKey("mall"))
        let path = "/venues/mall/tiles/L0_16_1_1.png"
        // The level is ready, so only drawing is left.
        _ = try await harness.send(.get, "/venues/mall/tiles/0.json", key: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<TileDrawing.queueLimitPerVenue + 64 {
                group.addTask {
                    try? await permits.withPermit(for: .tiles(venue)) { try await Task.sleep(for: .seconds(600)) }
                }
            }
            try await harness.until { permits.waiting >= TileDrawing.queueLimitPerVenue }
            try Self.expectUnavailable(try await harness.send(.get, path, key: nil))
            group.cancelAll()
        }
        #expect(try await harness.send(.get, path, key: nil).status == .ok)
    }

    @Test func `a tile without a database is answered 503, and no cache keeps that`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        for statement in [
            """
            CREATE FUNCTION refuse() RETURNS boolean LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'starting' USING ERRCODE = '57P03'; END $$
            """,
            "ALTER TABLE feature_version RENAME TO hidden",
            "CREATE VIEW feature_version AS SELECT * FROM hidden WHERE refuse()",
        ] {
            _ = try await harness.store.pool.query("\(raw: statement)")
        }
        for path in ["tiles/L0_16_1_1.png", "tiles/0/16/1/1.mvt", "style.json", "tiles/0.json"] {
            try Self.expectUnavailable(try await harness.send(.get, "/venues/mall/\(path)", key: nil))
        }
        for statement in ["DROP VIEW feature_version", "ALTER TABLE hidden RENAME TO feature_version"] {
            _ = try await harness.store.pool.query("\(raw: statement)")
        }
        #expect(try await harness.send(.get, "/venues/mall/tiles/L0_16_1_1.png", key: nil).status == .ok)
    }
}
