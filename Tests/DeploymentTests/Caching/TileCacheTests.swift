import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing
import VenueMap

/// Tiles from two nodes, one of which reads from a read replica, and through a cache in front of both.
@Suite(.serialized, .requires(program: "nginx"))
struct TileCacheTests {
    private struct Tile: Hashable {
        let tag: String
        let bytes: [UInt8]
    }

    private static let venue = SampleVenue.tiny

    @Test(.timeLimit(.minutes(30)))
    func `nodes and a cache send the same tiles and entity tags, also after a publication and a rollback`() async throws
    {
        try await Deployment.run(settings: PostgresServer.withoutDurability, readsStandby: true) { deployment in
            let folder = deployment.workplace.folder.appending(path: "nginx")
            let proxy = try await CachingProxy(
                before: deployment.nodes[0].port, deployment.nodes[1].port, in: folder)
            do {
                try await Self.publishAndRollBack(deployment.services, through: proxy.service.with(key: nil))
            } catch {
                await proxy.stop()
                throw error
            }
            await proxy.stop()
        }
    }

    private static func publishAndRollBack(_ nodes: [RemoteService], through cache: RemoteService) async throws {
        try await nodes[0].publish(Self.venue)
        try await nodes[0].set("public", to: true)
        try await Self.wait(for: 1, at: nodes)
        let paths = try await Self.paths(at: nodes[0])
        let first = try await Self.tiles(paths, at: nodes)
        let start = ContinuousClock.now
        #expect(try await Self.tiles(paths, at: [cache]) == first)

        try await nodes[0].publish(Self.venue.edited(Edit(.recategorise, 4)))
        try await Self.wait(for: 2, at: nodes)
        let second = try await Self.tiles(paths, at: nodes)
        #expect(second.contains { first[$0.key] != $0.value } && second.contains { first[$0.key] == $0.value })
        for path in paths {
            // A cache may keep a tile for a minute, so clients request those that changed by another address.
            let hasChanged = first[path] != second[path]
            let address = hasChanged ? Self.with("version=2", path) : path
            let response = try await cache.send("GET", address)
            if hasChanged {
                #expect(response.cacheStatus == "MISS", "\(path)")
            } else {
                Self.expectHit(response, path, since: start)
            }
            #expect(try Self.tile(response) == second[path], "\(path)")
        }

        #expect(try await nodes[0].rollBack(to: 1)?.number == 3)
        try await Self.wait(for: 3, at: nodes)
        #expect(try await Self.tiles(paths, at: nodes) == first)
        // What a cache kept from before is right again.
        for path in paths {
            let tag = try #require(first[path]?.tag)
            let response = try await cache.send("GET", path, headers: [("If-None-Match", tag)])
            #expect(response.status == 304, "\(path)")
            Self.expectHit(response, path, since: start)
        }
    }

    /// A cache keeps a tile for a minute, which a busy machine may take to get here.
    private static func expectHit(
        _ response: RemoteService.Response, _ path: String, since start: ContinuousClock.Instant
    ) {
        let isFresh = start.duration(to: .now) < .seconds(55)
        #expect(response.cacheStatus == "HIT" || !isFresh, "\(path)")
    }

    /// The tiles of some services, which must be the same. Each service answers 304 for the tag of another one.
    private static func tiles(_ paths: [String], at services: [RemoteService]) async throws -> [String: Tile] {
        var tiles: [String: Tile] = [:]
        for (index, path) in paths.enumerated() {
            // Each service is the first one to be asked for some of the tiles.
            let order = services[(index % services.count)...] + services[..<(index % services.count)]
            let expected = try Self.tile(try await order[order.startIndex].send("GET", path))
            for other in order.dropFirst() {
                let unchanged = try await other.send("GET", path, headers: [("If-None-Match", expected.tag)])
                #expect(unchanged.status == 304 && unchanged.body.isEmpty, "\(path)")
                #expect(unchanged.header("ETag") == expected.tag, "\(path)")
                #expect(try Self.tile(try await other.send("GET", path)) == expected, "\(path)")
            }
            tiles[path] = expected
        }
        return tiles
    }

    private static func tile(_ response: RemoteService.Response) throws -> Tile {
        #expect(response.status == 200)
        return Tile(tag: try #require(response.header("ETag")), bytes: response.body)
    }

    private static func wait(for revision: Int64, at nodes: [RemoteService]) async throws {
        for node in nodes {
            try await eventually("revision \(revision)") {
                try await node.get(Venue.self, "/venues/mall").head == revision
            }
        }
    }

    private static func with(_ parameter: String, _ path: String) -> String {
        path + (path.contains("?") ? "&" : "?") + parameter
    }

    /// Tiles of both formats around the middle of two floors.
    private static func paths(at node: RemoteService) async throws -> [String] {
        let json = try JSONReader.value(of: try await node.request("GET", "/venues/mall/tiles/0.json").body)
        let center = (json["center"]?.array ?? []).compactMap(\.number)
        try #require(center.count >= 2)
        let position = Position(longitude: center[0], latitude: center[1])
        return (17...19).flatMap { zoom in
            let tile = WebMercator.tile(of: position, zoom: zoom)
            return (0...1).flatMap { floor in
                let path = "/venues/mall/tiles/\(floor)/\(zoom)/\(tile.x)/\(tile.y)"
                return [
                    "\(path).png", "\(path)@2x.png?theme=dark", "\(path).png?lang=en", "\(path).mvt",
                    "/venues/mall/tiles/L\(floor)_\(zoom)_\(tile.x - 1)_\(tile.y).png",
                ]
            }
        }
    }
}
