import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import VenueMap

/// How long a map takes to build, and to follow a revision with few changes.
struct MapUpdates {
    private static let changedFeatures = 20

    let rounds: Int

    /// Two sizes: a shopping centre, and a large one.
    func run() throws -> [JSONObject] {
        try [(levels: 4, units: 250), (levels: 10, units: 250)].map { try self.measure($0.levels, $0.units) }
    }

    private func measure(_ levels: Int, _ units: Int) throws -> JSONObject {
        let venue = SampleVenue(.init(levels: levels, unitsPerLevel: units, seed: 7))
        let before = Self.entries(of: venue)
        let clock = ContinuousClock()
        var (builds, updates): ([Double], [Double]) = ([], [])
        var drawn = 0
        for round in 0..<self.rounds {
            var next = venue
            var random = SplitMix64(seed: UInt64(round))
            _ = next.apply(Edit(.rename, Self.changedFeatures / 2), using: &random)
            _ = next.apply(Edit(.move, Self.changedFeatures / 2), using: &random)
            let after = Self.entries(of: next)
            let changed = after.values.filter { before[$0.id] != $0 }
            let start = clock.now
            var map = VenueMap(before.values)
            builds.append((clock.now - start) / .milliseconds(1))
            // The map that is shown at the same time: the update cannot change it in place.
            let shown = map
            let updateStart = clock.now
            let update = map.update(putting: changed)
            updates.append((clock.now - updateStart) / .milliseconds(1))
            drawn = update.changes.count
            guard shown.features.count == before.count, drawn >= changed.count / 2 else { throw UnexpectedResult() }
        }
        return [
            "name": "map updated by 20 features", "features": .number(Double(before.count)),
            "drawn_changes": .number(Double(drawn)), "build_ms": .rounded(builds.median, decimals: 2),
            "update_ms": .rounded(updates.median, decimals: 2),
        ]
    }

    private struct UnexpectedResult: Error {}

    private static func entries(of venue: SampleVenue) -> [FeatureID: VenueMap.Entry] {
        Dictionary(
            zip(venue.features, venue.placements).map { feature, placement in
                let body = CanonicalJSON.data(.object(feature.body))
                return (
                    feature.id,
                    VenueMap.Entry(id: feature.id, type: feature.type, level: placement.level, body: body)
                )
            }, uniquingKeysWith: { $1 })
    }
}
