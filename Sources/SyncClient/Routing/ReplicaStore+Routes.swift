public import Foundation
public import IMDF
public import VenueRouting
public import Wayfinding

/// Routes from what the file holds, without a server.
///
/// The first question prepares the map, which takes a moment for a large venue; later ones take about a millisecond. After a change, only the
/// levels that differ are read, and only the floors on which people walk otherwise are computed again.
extension ReplicaStore {
    /// The fastest way between two places, or the reason why there is none. If all levels are held, its ``VenueRoute/json`` has the bytes
    /// with which the server responds to the same question about the same revision.
    ///
    /// - Parameters:
    ///   - profile: Who walks.
    ///   - instant: The time at which opening hours are evaluated, in the time zone of the venue.
    ///   - closed: What is shut besides: units, openings, relationships, levels, and amenities of lifts, stairs and escalators.
    ///   - languages: The languages of the instructions, the preferred one first; empty: that of the archive.
    /// - Throws: ``SyncError`` if the file cannot be read, or `CancellationError`.
    public func route(
        from: Place, to: Place, profile: Profile = .walk, at instant: Date = Date(), closed: Set<FeatureID> = [],
        languages: [String] = Locale.preferredLanguages
    ) async throws -> VenueRoute {
        let content = try await self.routes.current(in: self)
        let query = RouteQuery(
            from: from, to: to, profile: profile, closed: closed.reduce(into: [:]) { $0[$1] = .some(nil) },
            languages: languages)
        return try await Self.concurrently {
            VenueRoute(
                query, at: instant, in: content.timeZone, content.map, content.hours, venue: content.state.venue,
                revision: content.state.revision, missing: content.missing, shouldStop: { Task.isCancelled })
        }
    }

    /// Those features that can be reached first, in this order, such as the nearest toilets. Those that cannot be reached are left out.
    ///
    /// - Parameters:
    ///   - features: Those that are compared.
    ///   - limit: The greatest number of results.
    ///   - instant: See ``route(from:to:profile:at:closed:languages:)``.
    public func nearest(
        from: Place, among features: [FeatureID], profile: Profile = .walk, at instant: Date = Date(),
        closed: Set<FeatureID> = [], limit: Int = 1
    ) async throws -> [WayfindingMap.NearFeature] {
        let content = try await self.routes.current(in: self)
        return try await Self.concurrently {
            let hours = content.hours.closures(at: instant, in: content.timeZone).features
            let closed = closed.union(hours).reduce(into: [FeatureID: String?]()) { $0[$1] = .some(nil) }
            return content.map.nearest(from: from, among: features, profile: profile, closed: closed, limit: limit)
        }
    }

    /// What can be reached from the exits, and which features to mend. Opening hours do not count. As long as a level is not held, nothing of
    /// that is known: see ``ReachabilityReport/levelsNotHeld``.
    ///
    /// - Parameter withEgress: Whether to list the nearest exits of every unit by ways without lifts, which takes longer. They are not known either
    ///   as long as a level is not held.
    public func reachability(withEgress: Bool = false) async throws -> ReachabilityReport {
        let content = try await self.routes.current(in: self)
        return try await Self.concurrently {
            var report = content.map.reachabilityReport { Task.isCancelled }
            report.addLevelsNotHeld(content.missing)
            if withEgress, content.missing.isEmpty { report.egress = content.map.egressReport { Task.isCancelled } }
            return report
        }
    }

    /// Frees the memory that routes need, such as when the app goes to the background. The next question prepares the map again.
    public func discardRoutes() { self.routes.discard() }

    /// Computes outside of the caller's actor, which may be the main one.
    @concurrent private static func concurrently<Answer: Sendable>(
        _ work: @Sendable () -> Answer
    ) async throws -> Answer {
        let answer = work()
        // An answer that was interrupted says nothing.
        try Task.checkCancellation()
        return answer
    }
}

extension VenueReplica {
    /// See ``ReplicaStore/route(from:to:profile:at:closed:languages:)``.
    public nonisolated func route(
        from: Place, to: Place, profile: Profile = .walk, at instant: Date = Date(), closed: Set<FeatureID> = [],
        languages: [String] = Locale.preferredLanguages
    ) async throws -> VenueRoute {
        try await self.store.route(
            from: from, to: to, profile: profile, at: instant, closed: closed, languages: languages)
    }

    /// See ``ReplicaStore/nearest(from:among:profile:at:closed:limit:)``.
    public nonisolated func nearest(
        from: Place, among features: [FeatureID], profile: Profile = .walk, at instant: Date = Date(),
        closed: Set<FeatureID> = [], limit: Int = 1
    ) async throws -> [WayfindingMap.NearFeature] {
        try await self.store.nearest(
            from: from, among: features, profile: profile, at: instant, closed: closed, limit: limit)
    }

    /// See ``ReplicaStore/reachability(withEgress:)``.
    public nonisolated func reachability(withEgress: Bool = false) async throws -> ReachabilityReport {
        try await self.store.reachability(withEgress: withEgress)
    }
}
