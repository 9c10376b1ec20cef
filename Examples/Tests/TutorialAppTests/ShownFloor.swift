import Foundation
import IMDF
import MapKit
import MapLibre
import SyncClient
import Testing
import TutorialApp
import VenueMap

/// A floor of the tutorial's app on both maps, which follow the changes.
@MainActor
final class ShownFloor {
    private let feed: FloorFeed
    private var ordinal: Int
    private let maps = Maps()
    private var tasks: [Task<Void, any Error>] = []
    /// After every drawing and every change of the status.
    private let events: AsyncStream<Void>
    private let event: AsyncStream<Void>.Continuation

    init(_ feed: FloorFeed, _ ordinal: Int) {
        self.feed = feed
        self.ordinal = ordinal
        (self.events, self.event) = AsyncStream.makeStream(of: Void.self)
        self.show(ordinal)
    }

    func show(_ ordinal: Int) {
        for task in self.tasks { task.cancel() }
        self.ordinal = ordinal
        let (feed, event) = (self.feed, self.event)
        self.tasks = [
            Task {
                try await feed.show(ordinal) { @MainActor update in
                    try Task.checkCancellation()
                    try self.maps.draw(update, of: [.ordinal(ordinal)])
                    event.yield()
                }
            },
            Task { try await feed.follow(ordinal) },
            Task { for await _ in feed.replica.statusUpdates() { event.yield() } },
        ]
    }

    func stop() async {
        for task in self.tasks { task.cancel() }
        for task in self.tasks { _ = await task.result }
    }

    struct TooLate: Error {}

    /// Waits until a revision is stored and drawn. A revision that changes nothing on the floor is not drawn.
    func wait(until revision: Int64) async throws {
        try await self.wait { _ in
            guard try await self.feed.replica.store.state().revision == revision else { return false }
            return try await self.drawing == Self.fromScratch(self.feed, self.ordinal) && self.drawing.layers.count > 0
        }
    }

    func wait(_ isReached: (ReplicaStatus) async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        let (feed, event) = (self.feed, self.event)
        // An event in case that a condition became true between two others.
        let ticking = Task {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                event.yield()
            }
        }
        defer { ticking.cancel() }
        for await _ in self.events {
            if try await isReached(feed.replica.status) { return }
            guard ContinuousClock.now < deadline else { throw TooLate() }
        }
    }

    var drawing: Drawing { self.maps.drawing }

    func expectDrawnFromScratch() async throws {
        let fresh = try await Self.fromScratch(self.feed, self.ordinal)
        #expect(self.drawing == fresh)
    }

    /// New maps of what the file has.
    private static func fromScratch(_ feed: FloorFeed, _ ordinal: Int) async throws -> Drawing {
        let maps = Maps()
        for try await update in try await feed.replica.mapUpdates(in: [.ordinal(ordinal)]) {
            try maps.draw(update, of: [.ordinal(ordinal)])
            break
        }
        return maps.drawing
    }

    /// What both maps show.
    struct Drawing: Equatable {
        struct Layer: Equatable {
            let id: String
            /// The JSON of the features by id.
            let features: [String: Data]
        }

        /// From the lowest to the highest.
        let layers: [Layer]
        /// Title and position.
        let markers: [String]
        let overlays: [Data]
        let annotations: [String]

        var titles: [String] { self.markers.map { String($0.prefix { $0 != "@" }) }.sorted() }
    }

    @MainActor
    private final class Maps {
        private let mapLibre = MLNMapView()
        private let mapKit = MKMapView()
        private let first: MapLibreFloor
        private let second: MapKitFloor

        init() {
            self.first = MapLibreFloor(mapView: self.mapLibre)
            self.second = MapKitFloor(mapView: self.mapKit)
        }

        func draw(_ update: ReplicaMapUpdate, of floor: LevelSelection) throws {
            try self.first.draw(update, of: floor)
            try self.second.draw(update, of: floor)
        }

        var drawing: Drawing {
            Drawing(
                layers: (self.mapLibre.style?.layers ?? []).map { layer in
                    Drawing.Layer(id: layer.identifier, features: Self.features(of: layer.source))
                },
                markers: self.mapLibre.annotations.map {
                    "\($0.title ?? "") @\($0.coordinate.latitude),\($0.coordinate.longitude)"
                }.sorted(),
                overlays: self.mapKit.overlays.compactMap { ($0 as? MKShape)?.json }.sorted {
                    $0.lexicographicallyPrecedes($1)
                },
                annotations: self.mapKit.annotations.map {
                    "\($0.title ?? "") @\($0.coordinate.latitude),\($0.coordinate.longitude)"
                }.sorted())
        }

        private static func features(of source: MLNSource) -> [String: Data] {
            guard let shape = (source as? MLNShapeSource)?.shape,
                let content = try? JSONSerialization.jsonObject(with: shape.json) as? [String: Any],
                let features = content["features"] as? [[String: Any]]
            else { return [:] }
            var byID: [String: Data] = [:]
            for feature in features {
                byID[feature["id"] as? String ?? ""] = try? JSONSerialization.data(
                    withJSONObject: feature, options: .sortedKeys)
            }
            return byID
        }
    }
}
