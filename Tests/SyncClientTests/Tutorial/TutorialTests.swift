import Foundation
import HummingbirdTesting
import IMDF
import MapKit
import MapLibre
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing
import TutorialApp
import VenueMap

/// The app that the documentation builds, on maps that draw nothing.
@Suite(.database)
struct TutorialTests {
    @Test func `the documentation shows the code that is compiled here`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let article = try String(
            contentsOf: root.appending(path: "Sources/SyncClient/SyncClient.docc/FloorMap.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Tests/TutorialApp"), includingPropertiesForKeys: nil)
        #expect(files.count >= 5)
        for file in files {
            let code = try String(contentsOf: file, encoding: .utf8)
            #expect(
                article.contains("```swift\n\(code)```"), "\(file.lastPathComponent) reads otherwise in the article")
        }
        #expect(article.components(separatedBy: "```swift").count == files.count + 1)
    }

    /// A feed on the server of a test, and a shop that will be renamed.
    private static func prepare(_ harness: Harness) async throws -> (FloorFeed, FeatureID, SampleVenue) {
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 6))
        try await harness.push(venue.archive())
        let folder = try Folder()
        let replica = try await VenueReplica.open(
            folder.file, server: try #require(URL(string: HarnessTransport.address)),
            venue: try #require(VenueKey("mall")), key: Harness.adminKey, transport: HarnessTransport(harness))
        let feed = FloorFeed(replica: replica)
        let floors = try await feed.floors()
        let level = try #require(floors.flatMap(\.levels).first { !$0.isOutdoor })
        return (feed, level.id, venue)
    }

    /// The same venue with every shop under another name.
    private static func renamed(_ venue: SampleVenue) -> SampleVenue {
        var venue = venue
        for index in venue.features.indices where venue.features[index].type == .occupant {
            venue.features[index]["name"] = ["en": .string("Shop \(index)")]
        }
        return venue
    }

    @Test func `a floor is drawn and changes when the operator publishes`() async throws {
        try await Harness.run { harness in
            let (feed, level, venue) = try await Self.prepare(harness)
            let screens = await Screens()
            let (pictures, count) = AsyncStream.makeStream(of: Void.self)
            let showing = Task {
                try await feed.show(level) { picture in
                    try await screens.draw(picture)
                    count.yield()
                }
            }
            var drawn = pictures.makeAsyncIterator()
            await drawn.next()
            let before = await screens.state
            #expect(before.units > 0 && before.overlays >= before.units && before.titles.count > 0)
            #expect(Set(before.titles) == Set(before.annotations))

            try await harness.push(Self.renamed(venue).archive())
            try await feed.replica.sync()
            await drawn.next()
            let after = await screens.state
            #expect(after.titles != before.titles && after.titles.count == before.titles.count)
            #expect(Set(after.titles) == Set(after.annotations))
            #expect(after.overlays == before.overlays && after.units == before.units)
            showing.cancel()
            _ = await showing.result
        }
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

        func draw(_ picture: FloorFeed.Picture) throws {
            try self.first.draw(picture)
            try self.second.draw(picture)
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
