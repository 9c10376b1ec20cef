public import Foundation
public import IMDF
public import MapLibre
import SyncClient
import SyncModel

/// Shows one floor and keeps it up to date as long as the screen is there.
@MainActor
public final class FloorScreen {
    private let feed: FloorFeed
    private let floor: MapLibreFloor
    private var tasks: [Task<Void, any Error>] = []

    /// - Parameters:
    ///   - folder: Where the app keeps its files, such as Application Support.
    ///   - key: A key with the role `read`; nil for a public venue.
    public convenience init(
        mapView: MLNMapView, folder: URL, server: URL, venue: String, key: String?
    ) async throws {
        guard let name = VenueKey(venue) else { throw CocoaError(.formatting) }
        let replica = try await VenueReplica.open(
            folder.appending(path: "\(venue).sqlite"), server: server, venue: name, key: key)
        self.init(mapView: mapView, feed: FloorFeed(replica: replica))
    }

    public init(mapView: MLNMapView, feed: FloorFeed) {
        self.feed = feed
        self.floor = MapLibreFloor(mapView: mapView)
    }

    /// Call it with the level that the picker chose.
    public func show(_ level: FeatureID) {
        let (feed, floor) = (self.feed, self.floor)
        self.leave()
        self.tasks = [
            Task { try await feed.show(level) { picture in try await floor.draw(picture) } },
            Task { try await feed.follow() },
        ]
    }

    /// Call it when the screen goes away.
    public func leave() {
        for task in self.tasks { task.cancel() }
        self.tasks = []
    }
}
