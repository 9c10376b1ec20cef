import Foundation
import IMDF
import SyncModel
import Synchronization
import VenueRouting
import Wayfinding

/// What a replica holds, prepared for routes once for all questions.
///
/// The features of a level are parsed again only if its digest has changed, and the triangles of a floor are computed again only if
/// something that people walk on has.
final class PreparedRoutes: Sendable {
    struct Content: Sendable {
        fileprivate let parts: [FeatureID?: Part]
        let state: ReplicaState
        /// With the travel times of the venue.
        let map: WayfindingMap
        let hours: PassageHours
        /// The levels of the venue that are not held.
        let missing: [FeatureID]

        fileprivate init(
            _ parts: [FeatureID?: Part], _ state: ReplicaState, _ map: WayfindingMap, _ hours: PassageHours,
            missing: [FeatureID]
        ) {
            var map = map
            map.travelTimes = TravelTimes(state.about.wayfinding)
            (self.parts, self.state, self.map, self.hours, self.missing) = (parts, state, map, hours, missing)
        }

        var timeZone: TimeZone? { self.state.about.timeZone.flatMap { TimeZone(identifier: $0) } }
    }

    /// The features of a level, or of the venue-wide part.
    fileprivate struct Part: Sendable {
        let digest: Digest
        let features: [WayfindingFeature]
    }

    private let mutex = AsyncMutex()
    private let content = Mutex<Content?>(nil)

    /// What is held now.
    ///
    /// - Throws: ``SyncError``, or `CancellationError`.
    @concurrent func current(in store: ReplicaStore) async throws -> Content {
        try await self.mutex.withLock {
            let former = self.content.withLock { $0 }
            let digests = former?.parts.mapValues(\.digest) ?? [:]
            let (state, held, changed) = try await store.read { reader in
                let held = try reader.digests()
                let changed = held.filter { digests[$0.key] != $0.value }.keys
                return (try reader.state(), held, try changed.map { ($0, try reader.features(on: $0)) })
            }
            if let former, changed.isEmpty, former.parts.count == held.count,
                former.state.about.language == state.about.language
            {
                guard former.state != state else { return former }
                return self.keep(Content(former.parts, state, former.map, former.hours, missing: former.missing))
            }
            var parts = former?.parts.filter { held[$0.key] == $0.value.digest } ?? [:]
            for (level, features) in changed {
                guard let digest = held[level] else { continue }
                parts[level] = Part(digest: digest, features: try features.compactMap(Self.parse))
            }
            let map = WayfindingMap(
                parts.values.lazy.flatMap(\.features), language: state.about.language, reusing: former?.map
            ) { Task.isCancelled }
            let hours = PassageHours(of: map) { Task.isCancelled }
            // A map that was not finished must not be kept.
            try Task.checkCancellation()
            let levels = (parts[nil]?.features ?? []).filter { $0.type == .level }.map(\.id)
            return self.keep(Content(parts, state, map, hours, missing: levels.filter { held[$0] == nil }))
        }
    }

    private static func parse(_ feature: ReplicaFeature) throws -> WayfindingFeature? {
        try Task.checkCancellation()
        return WayfindingFeature(id: feature.id, type: feature.type, body: feature.body)
    }

    private func keep(_ content: Content) -> Content {
        self.content.withLock { $0 = content }
        return content
    }

    /// Frees the memory. The next question prepares everything again.
    func discard() {
        self.content.withLock { $0 = nil }
    }
}
