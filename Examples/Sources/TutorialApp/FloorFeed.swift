import Foundation
public import IMDF
public import SyncClient
import SyncModel
public import VenueMap

/// Provides the floor that the app shows from the local replica.
public actor FloorFeed {
    /// What to draw: a whole floor, or the changes on it.
    public enum Content: Sendable {
        case floor(VenueMap, FeatureID)
        case changes([ReplicaChange], VenueMap)
    }

    public let replica: VenueReplica

    public init(replica: VenueReplica) {
        self.replica = replica
    }

    /// The floors for a level picker, highest first. This is the first request; the first floor is the second one.
    public func floors() async throws -> [VenueGraph.Floor] {
        try await self.replica.sync(levels: .levels([.venueWide]))
        return try await self.replica.store.map().graph.floors
    }

    /// Draws a floor and its changes until the task is cancelled.
    public func show(_ level: FeatureID, _ draw: @Sendable (Content) async throws -> Void) async throws {
        try await self.replica.add(.level(level))
        for try await update in try await self.replica.changes(on: .level(level)) {
            let map = try await self.replica.store.map(of: [level])
            try await draw(update.isSnapshot ? .floor(map, level) : .changes(update.changes, map))
        }
    }

    /// Keeps the replica up to date until the task is cancelled.
    public func follow() async throws {
        try await self.replica.follow()
    }
}
