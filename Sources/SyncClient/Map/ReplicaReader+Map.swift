public import Foundation
public import IMDF
import SyncModel
public import VenueMap

extension ReplicaReader {
    /// The map of the levels that the replica holds.
    ///
    /// - Parameters:
    ///   - levels: Nil: all levels of the replica. The venue-wide part is always included.
    ///   - timeZone: The time zone of the venue; nil: the one that the archive names. If there is neither, the state of all opening hours
    ///     is unknown.
    /// - Complexity: Reads every body of these levels.
    public func map(of levels: [FeatureID]? = nil, timeZone: TimeZone? = nil) throws -> VenueMap {
        let parts: [FeatureID?] = try levels.map { [nil] + $0 } ?? self.levels().map(\.level)
        let features = try parts.flatMap { try self.features(on: $0) }
        let about = try self.state().about
        var map = VenueMap(
            features.map { .init(id: $0.id, type: $0.type, level: $0.level, body: $0.body) }, timeZone: about.timeZone,
            language: about.language)
        if let timeZone { map.timeZone = timeZone }
        return map
    }
}

extension ReplicaStore {
    /// The map of the levels that the replica holds; see ``ReplicaReader/map(of:timeZone:)``.
    public func map(of levels: [FeatureID]? = nil, timeZone: TimeZone? = nil) async throws -> VenueMap {
        try await self.read { try $0.map(of: levels, timeZone: timeZone) }
    }
}
