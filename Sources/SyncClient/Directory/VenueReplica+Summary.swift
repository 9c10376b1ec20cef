import Foundation
public import IMDF
public import SyncModel

extension VenueReplica {
    /// Requests the names of the venue and its levels, and keeps them in the file: what a level picker needs, a few kilobytes however
    /// large the venue is. No features are downloaded.
    ///
    /// - Throws: ``SyncError``, or `CancellationError`. What the file has is then unchanged; see ``ReplicaReader/floors()``.
    @discardableResult
    public func summary() async throws -> VenueSummary {
        var venue = try await self.exchange.value(Venue.self, "/venues/\(self.venue)")
        guard venue.venue == self.venue else { throw SyncError.contradiction("it belongs to the venue \(venue.venue)") }
        // The server can be reached.
        self.statusCenter.endPauses(alsoRequested: false)
        venue.settings = nil
        let text = try WireJSON.data(venue)
        try await self.mutex.withLock { try await self.store.keep(text) }
        return VenueSummary(venue)
    }

    /// The number of features that a download will have; nil if it is not known.
    func expectedFeatures(from state: ReplicaState, _ levels: LevelSelection) async -> Int? {
        guard let (summary, held) = try? await self.store.read({ (try $0.summary(), Set(try $0.digests().keys)) }),
            let summary, summary.levels.count == summary.levelCount,
            state.revision == nil || state.revision == summary.revision
        else { return nil }
        let added = summary.levels.filter {
            levels.includes(level: $0.id, ordinal: $0.ordinal) && !held.contains($0.id)
        }
        var sum = held.contains(nil) ? 0 : summary.venueWideFeatures
        for level in added {
            // The counts are the server's, and no digest covers them.
            let (total, isTooLarge) = sum.addingReportingOverflow(level.features)
            guard !isTooLarge, level.features >= 0, total >= 0 else { return nil }
            sum = total
        }
        return sum
    }
}

extension ReplicaReader {
    /// The last ``VenueReplica/summary()``; nil if there was none.
    public func summary() throws -> VenueSummary? {
        guard let text = try self.text("SELECT summary FROM state") else { return nil }
        return (try? WireJSON.value(Venue.self, from: Data(text.utf8))).map { VenueSummary($0) }
    }

    /// The floors for a level picker, the highest first: those of the revision that the replica holds, or before the first
    /// download those of the last ``summary()``. Empty if there was none either. The graph's levels have no units.
    ///
    /// - Complexity: Parses the level features.
    public func floors() throws -> [VenueGraph.Floor] {
        guard try self.digests().keys.contains(nil) else { return try self.summary()?.floors ?? [] }
        let levels = try self.features(on: nil, type: .level).compactMap { level in
            (try? WireJSON.value(JSONValue.self, from: Data(level.body))).map {
                (level.id, FeatureType.level, $0, Placement(level: nil))
            }
        }
        return VenueGraph(levels).floors
    }
}

extension ReplicaStore {
    /// The last ``VenueReplica/summary()``; nil if there was none.
    public func summary() async throws -> VenueSummary? {
        try await self.read { try $0.summary() }
    }

    /// The floors for a level picker; see ``ReplicaReader/floors()``.
    public func floors() async throws -> [VenueGraph.Floor] {
        try await self.read { try $0.floors() }
    }
}
