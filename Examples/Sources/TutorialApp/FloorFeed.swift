public import IMDF
public import SyncClient
import SyncModel
import VenueMap

/// Provides the floors that the app shows: first from the file, which needs no network, and then from the server.
public struct FloorFeed: Sendable {
    public let replica: VenueReplica

    public init(replica: VenueReplica) {
        self.replica = replica
    }

    /// The floors for a level picker, highest first. Only the first start of the app needs the server for them: a few kilobytes.
    public func floors() async throws -> [VenueGraph.Floor] {
        let known = try await self.replica.store.floors()
        if !known.isEmpty { return known }
        try await self.replica.summary()
        return try await self.replica.store.floors()
    }

    /// Draws what the file has of a floor, at once, and then every change, until the task is cancelled.
    public func show(_ ordinal: Int, _ draw: @Sendable (ReplicaMapUpdate) async throws -> Void) async throws {
        for try await update in try await self.replica.mapUpdates(in: [.ordinal(ordinal)]) { try await draw(update) }
    }

    /// Downloads a floor if it is missing, and keeps the replica up to date until the task is cancelled, with or without a network.
    public func follow(_ ordinal: Int) async throws {
        try await self.replica.follow(adding: [.ordinal(ordinal)])
    }
}
