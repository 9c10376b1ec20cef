import Foundation
import IMDF
import SyncClient
import SyncModel
import Testing
import TutorialApp
import VenueMap

/// The app of the tutorial, on maps that draw nothing and a server of its own.
@Suite struct TutorialTests {
    @Test func `the tutorial shows the code that is compiled here`() throws {
        let article = try DocumentationArticle.text()
        let files = try FileManager.default.contentsOfDirectory(
            at: DocumentationArticle.root.appending(path: "Examples/Sources/TutorialApp"),
            includingPropertiesForKeys: nil)
        #expect(files.count >= 5)
        for file in files {
            let code = try String(contentsOf: file, encoding: .utf8)
            #expect(
                article.contains("```swift\n\(code)```"), "\(file.lastPathComponent) reads otherwise in the article")
        }
        #expect(article.components(separatedBy: "```swift").count == files.count + 1)
    }

    private static func open(_ server: LocalServer, _ file: String = "mall") async throws -> FloorFeed {
        var policy = RetryPolicy()
        policy.minimumPause = .milliseconds(50)
        policy.maximumPause = .milliseconds(200)
        return FloorFeed(
            replica: try await VenueReplica.open(
                server.folder.appending(path: "\(file).sqlite"), server: server.url,
                venue: try #require(VenueKey("mall")), key: LocalServer.adminKey, policy: policy))
    }

    /// The floor that is shown: the ground floor, with a level in the building and one outdoors.
    private static let ordinal = 0

    /// The app, from its first start to a rollback. After every step, the maps that followed the changes equal maps that are drawn anew.
    @Test(.timeLimit(.minutes(10)))
    func `the drawn floor equals one that is drawn from scratch, whatever happens`() async throws {
        let server = try await LocalServer()
        defer { server.stop() }
        try server.venue("generate", "-o", "v1.zip", "--levels", "2", "--units", "6")
        try server.venue("push", "v1.zip", "--to", "mall", "--new")

        // A cold start.
        var feed = try await Self.open(server)
        let floors = try await feed.floors()
        #expect(try await feed.replica.store.levels().isEmpty, "a level picker needs no features")
        let floor = try #require(floors.first { $0.ordinal == Self.ordinal })
        #expect(floor.levels.count > 1)
        var shown = await ShownFloor(feed, Self.ordinal)
        try await shown.wait(until: 1)
        let cold = await shown.drawing
        #expect(cold.layers.map(\.id) == ["unit", "kiosk", "fixture", "opening"])
        #expect(cold.layers.allSatisfy { !$0.features.isEmpty } && !cold.overlays.isEmpty)
        let map = try await feed.replica.store.map(of: floor.levels.map(\.id))
        for level in floor.levels {
            let units = map.features(of: .unit, on: level.id).map(\.id.description)
            #expect(cold.layers[0].features.keys.contains { units.contains($0) }, "the units of one level are missing")
        }
        #expect(
            cold.markers.count > map.features.values.count { $0.type == .occupant && $0.placement.level != nil } / 2)
        #expect(cold.markers.contains { $0.hasPrefix("seat ") || $0.hasPrefix("restroom") }, "amenities are missing")
        try await shown.expectDrawnFromScratch()
        await shown.stop()
        try await feed.replica.close()

        // A second start without a server.
        server.shutDown()
        feed = try await Self.open(server)
        #expect(try await feed.floors().map(\.ordinal) == floors.map(\.ordinal))
        shown = await ShownFloor(feed, Self.ordinal)
        try await shown.wait(until: 1)
        #expect(await shown.drawing == cold)
        try await shown.wait { if case .retrying = $0.connection { true } else { false } }
        #expect(feed.replica.status.lastSync != nil)

        // The server is back: the app notices by itself.
        try server.startAgain()
        try await shown.wait { $0.connection == .current }
        #expect(await shown.drawing == cold)

        // An anchor moves: the shops at it are drawn elsewhere, although they did not change.
        try server.edit("v1.zip", into: "v2.zip", "anchor", #"g["coordinates"][0] += 0.00002"#)
        try server.venue("push", "v2.zip", "--to", "mall")
        try await shown.wait(until: 2)
        let moved = await shown.drawing
        #expect(moved.markers != cold.markers && moved.titles == cold.titles && moved.layers == cold.layers)
        try await shown.expectDrawnFromScratch()

        // A section gets another name: the map has no layer of sections, and gets none.
        try server.edit("v2.zip", into: "v3.zip", "section", #"p["name"] = {"en": "Food court"}"#)
        try server.venue("push", "v3.zip", "--to", "mall")
        try await shown.wait(until: 3)
        #expect(await shown.drawing == moved)
        try await shown.expectDrawnFromScratch()

        // Shops are renamed, open and close, while the server restarts.
        try server.venue("generate", "-o", "v4.zip", "--next-of", "v3.zip", "--edit", "rename=9,move=9,remove=2,add=3")
        try server.venue("push", "v4.zip", "--to", "mall")
        server.shutDown()
        try server.startAgain()
        try await shown.wait(until: 4)
        let changed = await shown.drawing
        #expect(changed.titles != moved.titles)
        try await shown.expectDrawnFromScratch()

        // A rollback.
        try server.venue("rollback", "mall", "1")
        try await shown.wait(until: 5)
        #expect(await shown.drawing == cold)
        try await shown.expectDrawnFromScratch()
        await shown.stop()
    }

    @Test func `the smallest program prints a floor, and again without a server`() async throws {
        let server = try await LocalServer()
        defer { server.stop() }
        try server.venue("generate", "-o", "v1.zip", "--levels", "2", "--units", "6")
        try server.venue("push", "v1.zip", "--to", "mall", "--new")
        #expect(try server.consume(ordinal: 0, until: "added occupant").contains("revision 1: "))
        server.shutDown()
        let offline = try server.consume(ordinal: 0, until: "added occupant")
        #expect(offline.hasPrefix("revision 1: "))
        let code = try String(
            contentsOf: DocumentationArticle.root.appending(path: "Examples/Consumer/Sources/Consumer/Consumer.swift"),
            encoding: .utf8)
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
    }

    @Test func `the screen shows another floor without what was drawn of the first`() async throws {
        let server = try await LocalServer()
        defer { server.stop() }
        try server.venue("generate", "-o", "v1.zip", "--levels", "2", "--units", "6")
        try server.venue("push", "v1.zip", "--to", "mall", "--new")
        let feed = try await Self.open(server)
        try await feed.replica.sync()
        let shown = await ShownFloor(feed, 0)
        try await shown.wait(until: 1)
        let ground = await shown.drawing
        await shown.show(1)
        try await shown.wait(until: 1)
        #expect(await shown.drawing != ground)
        try await shown.expectDrawnFromScratch()
        await shown.show(0)
        try await shown.wait(until: 1)
        #expect(await shown.drawing == ground)
        await shown.stop()
    }
}
