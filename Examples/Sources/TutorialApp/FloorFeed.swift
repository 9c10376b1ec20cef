import Foundation
public import IMDF
public import SyncClient
import SyncModel
public import VenueMap

/// The floor that the app shows, from the replica on this phone.
public actor FloorFeed {
    /// What there is to show: the whole floor, or what became of it.
    public enum Picture: Sendable {
        case floor(VenueMap, FeatureID)
        case changes([ReplicaChange], VenueMap)
    }

    public let replica: VenueReplica

    public init(replica: VenueReplica) {
        self.replica = replica
    }

    /// What a level picker shows, highest floor first. Two requests bring it and the first floor.
    public func floors() async throws -> [VenueGraph.Floor] {
        try await self.replica.sync(levels: .levels([.venueWide]))
        return try await self.replica.store.map().graph.floors
    }

    /// Draws a floor, and everything that happens on it, until the task is cancelled.
    public func show(_ level: FeatureID, _ draw: @Sendable (Picture) async throws -> Void) async throws {
        try await self.replica.add(.level(level))
        for try await news in try await self.replica.changes(on: .level(level)) {
            let map = try await self.replica.store.map(of: [level])
            try await draw(news.isSnapshot ? .floor(map, level) : .changes(news.changes, map))
        }
    }

    /// Keeps the replica up to date, a moment behind the operator, until the task is cancelled.
    public func follow() async throws {
        try await self.replica.follow()
    }
}
