public import IMDF

extension WayfindingMap {
    /// A feature with the way to it.
    public struct NearFeature: Hashable, Sendable {
        public let feature: FeatureID
        /// How long the way takes.
        public let seconds: Int
    }

    /// Those features that can be reached first, in this order. One search finds all of them.
    ///
    /// - Parameters:
    ///   - from: Where the ways begin.
    ///   - features: Those that are compared, such as all toilets. Those that cannot be reached are left out.
    ///   - closed: See ``RouteQuery/closed``.
    ///   - limit: The greatest number of results.
    public func nearest(
        from place: Place, among features: [FeatureID], profile: Profile = .walk,
        closed: [FeatureID: String?] = [:], limit: Int = 1
    ) -> [NearFeature] {
        guard case .success(let from) = self.end(place), limit > 0 else { return [] }
        var rules = Closures(closed, self).rules
        rules.blocking = profile.obstacles
        let pace = Pace(profile, self.travelTimes)
        var targets: [(feature: FeatureID, end: RouteEnd)] = []
        for feature in features {
            guard case .success(let end) = self.end(.feature(feature)) else { continue }
            targets.append((feature, end))
        }
        rules.admit(from, targets.map(\.end))
        var search = PathSearch(
            self.mesh, self.shafts, rules, pace,
            targets: targets.map { PathSearch.Target(point: $0.end.point, triangles: $0.end.triangles) },
            nodeLimit: self.limits.searchNodes)
        search.run(from: PathSearch.Target(point: from.point, triangles: from.triangles), until: limit)
        return targets.indices.compactMap { index in search.results[index].map { (index, $0.length) } }
            .sorted { $0.1 == $1.1 ? targets[$0.0].feature < targets[$1.0].feature : $0.1 < $1.1 }
            .prefix(limit)
            .map { index, length in
                NearFeature(
                    feature: targets[index].feature,
                    seconds: FramePosition.rounded(length / (pace.speed * 1_000)))
            }
    }
}
