import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import Wayfinding

/// The map of a level of about 1,900 triangles.
struct LevelMap {
    let rounds: Int
    private static let triangles = 1_900

    func measure() {
        var units = 100
        var features = Self.features(units)
        while WayfindingMap(features).triangleCount < Self.triangles {
            units += 20
            features = Self.features(units)
        }
        var times: [Double] = []
        var map = WayfindingMap(features)
        for _ in 0..<self.rounds {
            let start = ContinuousClock.now
            map = WayfindingMap(features)
            times.append(start.elapsedMilliseconds)
        }
        let before = MemoryReading(of: getpid()).resident
        let kept = (0..<self.rounds).map { _ in WayfindingMap(features) }
        let growth = MemoryReading(of: getpid()).resident - before
        reportTimes(
            "map of a level", times,
            [
                "units": .number(Double(units)), "triangles": .number(Double(map.triangleCount)),
                "mesh_bytes": .number(Double(map.meshBytes)),
                "resident_kib_per_map": .rounded(Double(growth) / Double(kept.count)),
            ])
    }

    /// The level with the most units, and what is on no level.
    private static func features(_ units: Int) -> [WayfindingFeature] {
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: units, seed: 7))
        let counts = Dictionary(
            venue.features.filter { $0.type == .unit }.compactMap { $0["level_id"]?.string }.map { ($0, 1) },
            uniquingKeysWith: +)
        let level = counts.max { $0.value < $1.value }?.key
        return venue.features.filter { feature in
            guard let other = feature["level_id"]?.string else { return true }
            return other == level
        }.map { WayfindingFeature(id: $0.id, type: $0.type, content: $0.body) }
    }
}
