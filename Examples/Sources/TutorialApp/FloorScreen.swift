public import Foundation
public import IMDF
public import MapLibre
import SyncClient
import SyncModel

/// Shows one floor and keeps it up to date while the screen is visible.
@MainActor
public final class FloorScreen {
    private let feed: FloorFeed
    private let floor: MapLibreFloor
    private var tasks: [Task<Void, any Error>] = []

    /// - Parameters:
    ///   - folder: The folder for the app's files, such as Application Support.
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

    /// Shows the level that was chosen in the level picker.
    public func show(_ level: FeatureID) {
        let (feed, floor) = (self.feed, self.floor)
        self.stop()
        self.tasks = [
            Task { try await feed.show(level) { content in try await floor.draw(content) } },
            Task { try await feed.follow() },
        ]
    }

    /// Stops updates. Call it when the screen disappears.
    public func stop() {
        for task in self.tasks { task.cancel() }
        self.tasks = []
    }
}
