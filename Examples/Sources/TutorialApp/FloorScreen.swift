public import Foundation
public import IMDF
public import MapLibre
public import SyncClient
import SyncModel
import VenueMap

/// Shows one floor and keeps it up to date while the screen is visible.
@MainActor
public final class FloorScreen {
    public let feed: FloorFeed
    private let floor: MapLibreFloor
    private var tasks: [Task<Void, any Error>] = []

    /// Opens the replica. This works without a network, also at the first start.
    ///
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

    /// Shows the floor that was chosen in the level picker: all its levels.
    ///
    /// - Parameters:
    ///   - picker: Shows the floors in the level picker: at first, and after every change, which may have added or removed one.
    ///   - report: Shows whether the map is current, for example "Last updated at 9:41. Retrying …".
    public func show(
        _ ordinal: Int, picker: @escaping @MainActor ([VenueGraph.Floor]) -> Void = { _ in },
        report: @escaping @MainActor (ReplicaStatus) -> Void = { _ in }
    ) {
        let (feed, floor) = (self.feed, self.floor)
        self.stop()
        self.tasks = [
            Task {
                try await feed.show(ordinal) { @MainActor update in
                    try Task.checkCancellation()  // another floor may have been chosen in the meantime
                    try floor.draw(update, of: [.ordinal(ordinal)])
                    picker(try await feed.replica.store.floors())
                }
            },
            Task { try await feed.follow(ordinal) },
            Task { for await status in feed.replica.statusUpdates() { report(status) } },
        ]
    }

    /// Stops updates. Call it when the screen disappears.
    public func stop() {
        for task in self.tasks { task.cancel() }
        self.tasks = []
    }
}
