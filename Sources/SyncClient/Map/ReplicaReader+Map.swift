public import IMDF
import SyncModel
public import VenueMap

extension ReplicaReader {
    /// What is held, as a map app draws it and asks it.
    ///
    /// - Parameter levels: Those that are drawn; nil: all that are held. The venue-wide part always comes along.
    /// - Complexity: Reads every body of these levels.
    public func map(of levels: [FeatureID]? = nil) throws -> VenueMap {
        let parts: [FeatureID?] = try levels.map { [nil] + $0 } ?? self.levels().map(\.level)
        let features = try parts.flatMap { try self.features(on: $0) }
        let about = try self.state().about
        return VenueMap(
            features.map { .init(id: $0.id, type: $0.type, level: $0.level, body: $0.body) }, timeZone: about.timeZone,
            language: about.language)
    }
}

extension ReplicaStore {
    /// What is held, as a map app draws it and asks it; see ``ReplicaReader/map(of:)``.
    public func map(of levels: [FeatureID]? = nil) async throws -> VenueMap {
        try await self.read { try $0.map(of: levels) }
    }
}
