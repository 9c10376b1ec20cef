import Foundation
import IMDF
import MapKit
import MapLibre
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

    /// Publishes a venue and opens a replica of it with the default transport.
    private static func prepare(_ server: LocalServer) async throws -> (FloorFeed, FeatureID) {
        try server.venue("generate", "-o", "v1.zip", "--levels", "2", "--units", "6")
        try server.venue("push", "v1.zip", "--to", "mall", "--new")
        let replica = try await VenueReplica.open(
            server.folder.appending(path: "mall.sqlite"), server: server.url, venue: try #require(VenueKey("mall")),
            key: LocalServer.adminKey)
        let feed = FloorFeed(replica: replica)
        let floors = try await feed.floors()
        let level = try #require(floors.flatMap(\.levels).first { !$0.isOutdoor })
        return (feed, level.id)
    }

    @Test func `a floor is drawn and changes when the operator publishes`() async throws {
        let server = try await LocalServer()
        defer { server.stop() }
        let (feed, level) = try await Self.prepare(server)
        let screens = await Screens()
        let (drawings, drawing) = AsyncStream.makeStream(of: Void.self)
        let showing = Task {
            try await feed.show(level) { content in
                try await screens.draw(content)
                drawing.yield()
            }
        }
        var drawn = drawings.makeAsyncIterator()
        await drawn.next()
        let before = await screens.state
        #expect(before.units > 0 && before.overlays >= before.units && before.titles.count > 0)
        #expect(Set(before.titles) == Set(before.annotations))

        // More renames than the venue has shops and units, so that every shop of the level has another name.
        try server.venue("generate", "-o", "v2.zip", "--next-of", "v1.zip", "--edit", "rename=100")
        try server.venue("push", "v2.zip", "--to", "mall")
        try await feed.replica.sync()
        await drawn.next()
        let after = await screens.state
        #expect(after.titles != before.titles && after.titles.count == before.titles.count)
        #expect(Set(after.titles) == Set(after.annotations))
        #expect(after.overlays == before.overlays && after.units == before.units)
        showing.cancel()
        _ = await showing.result
    }

    /// Both maps.
    @MainActor
    private final class Screens {
        private let mapLibre = MLNMapView()
        private let mapKit = MKMapView()
        private let first: MapLibreFloor
        private let second: MapKitFloor

        init() {
            self.first = MapLibreFloor(mapView: self.mapLibre)
            self.second = MapKitFloor(mapView: self.mapKit)
        }

        func draw(_ content: FloorFeed.Content) throws {
            try self.first.draw(content)
            try self.second.draw(content)
        }

        struct State {
            let units: Int
            let overlays: Int
            let titles: [String]
            let annotations: [String]
        }

        var state: State {
            let source = self.mapLibre.style?.source(withIdentifier: "unit") as? MLNShapeSource
            let content = source?.shape.flatMap { try? JSONSerialization.jsonObject(with: $0.json) } as? [String: Any]
            return State(
                units: (content?["features"] as? [Any])?.count ?? 0, overlays: self.mapKit.overlays.count,
                titles: self.mapLibre.annotations.compactMap(\.title).sorted(),
                annotations: self.mapKit.annotations.compactMap(\.title).sorted())
        }
    }
}
