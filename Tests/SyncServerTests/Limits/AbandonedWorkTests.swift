import Caching
import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

/// Work that takes turns ends when the client of its request disconnects.
@Suite(.database, .timeLimit(.minutes(30)))
struct AbandonedWorkTests {
    /// - Parameter key: What the work of the request waits for, because other work with the key goes on.
    private static func expectEnd<Key>(
        of path: String, at service: String = "/venues/mall", method: String = "GET", waitingFor key: Key,
        in permits: FairSemaphore<Key>, _ harness: Harness, _ port: Int
    ) async throws {
        let work = await permits.startEndlessWork(for: key)
        defer { work.cancel() }
        var client: RawClient? = try RawClient(port: port)
        try client?.send(
            "\(method) \(service)/\(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n\r\n")
        try await harness.until { permits.waiting == 1 }
        client = nil
        try await harness.until { permits.waiting == 0 }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(try await harness.send(.get, "\(service)/\(path)").status == .ok, "\(path)")
    }

    private static func withVenue(
        _ test: @escaping @Sendable (Harness, _ port: Int, _ mall: VenueKey) async throws -> Void
    ) async throws {
        let mall = try #require(VenueKey("mall"))
        try await Harness.listening { harness, port in
            try await harness.push(SampleVenue.tiny.archive())
            try await test(harness, port, mall)
        }
    }

    @Test func `tiles, glyphs and archives of tiles end when the client disconnects`() async throws {
        try await Self.withVenue { harness, port, mall in
            let permits = harness.server.tiles.drawing.permits
            try await Self.expectEnd(of: "tiles/0/16/1/1.mvt", waitingFor: .levels(mall), in: permits, harness, port)
            try await Self.expectEnd(of: "tiles/0/16/2/2.mvt", waitingFor: .tiles(mall), in: permits, harness, port)
            try await Self.expectEnd(
                of: "glyphs/Sans%20JP/0-255.pbf", waitingFor: .symbols(mall), in: permits, harness, port)
            try await Self.expectEnd(
                of: "revisions/1/tiles/0.pmtiles?format=mvt", waitingFor: .archive(mall), in: permits, harness, port)
        }
    }

    @Test func `features are not read any more when the client of a response disconnects`() async throws {
        try await Self.withVenue { harness, port, mall in
            let permits = harness.server.featurePermits
            for method in ["GET", "HEAD"] {
                try await Self.expectEnd(
                    of: "revisions/1/features?has_geometry=true", method: method, waitingFor: mall, in: permits,
                    harness, port)
            }
            let unit = try #require(SampleVenue.tiny.ids(of: .unit).min())
            for path in ["revisions/1/features", "features/\(unit)/history"] {
                try await Self.expectEnd(of: path, waitingFor: mall, in: permits, harness, port)
            }
            for path in ["items", "items?f=html", "items/\(unit)"] {
                try await Self.expectEnd(
                    of: path, at: "/ogc/mall/collections/unit", waitingFor: mall, in: permits, harness, port)
            }
        }
    }

    @Test func `features of a response that has begun are not read again when its client disconnects`() async throws {
        try await Self.withVenue { harness, port, mall in
            let path = "revisions/1/features"
            #expect(try await harness.send(.get, "/venues/mall/\(path)").status == .ok)
            let chunks = harness.server.chunks
            chunks.chunks.removeAll()
            chunks.texts.removeAll()
            try await Self.expectEnd(of: path, waitingFor: mall, in: harness.server.featurePermits, harness, port)
        }
    }

    @Test func `searches end when the client disconnects, and so does making their index`() async throws {
        try await Self.withVenue { harness, port, mall in
            let permits = harness.server.searchIndexes.permits
            try await Self.expectEnd(of: "search?q=a", waitingFor: .content(mall), in: permits, harness, port)
            try await Self.expectEnd(of: "search?q=b", waitingFor: .response(mall), in: permits, harness, port)
        }
    }

    @Test func `opening hours end when the client disconnects`() async throws {
        try await Self.withVenue { harness, port, mall in
            let shop = try #require(SampleVenue.tiny.features.first { $0.type == .occupant })
            try await Self.expectEnd(
                of: "features/\(shop.id)/hours", waitingFor: mall, in: harness.server.featurePermits, harness, port)
        }
    }

    @Test func `routes and reports end when the client disconnects, and so does making their map`() async throws {
        try await Self.withVenue { harness, port, mall in
            let permits = harness.server.wayfindingMaps.permits
            let route = "route?from=10,10,0&to=139.7,35.6,0"
            try await Self.expectEnd(of: route, waitingFor: .content(mall), in: permits, harness, port)
            try await Self.expectEnd(
                of: "\(route)&profile=step-free", waitingFor: .response(mall), in: permits, harness, port)
            try await Self.expectEnd(of: "reachability", waitingFor: .response(mall), in: permits, harness, port)
        }
    }
}
