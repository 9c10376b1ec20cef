import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import Wayfinding

/// Routes in a single unit, for a comparison with a program that knows polygons only.
struct Paths: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure paths in the largest walkway of a level, and write them for extremity_paths.py.")

    @Argument(help: "The file that is written.")
    var file: String

    @Option(help: "Units on the level.")
    var units = 1_000

    @Option(help: "The number of paths.")
    var queries = 1_000

    private struct MissingWalkway: Error {}

    func run() throws {
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: self.units, seed: 7))
        let walkways = venue.features.filter { $0["category"]?.string == "walkway" && $0.type == .unit }
            .map { ($0, Area($0.geometry)) }
        guard let (unit, area) = walkways.max(by: { $0.1.count < $1.1.count }),
            let level = venue.features.first(where: { $0.id.description == unit["level_id"]?.string }),
            let ordinal = level["ordinal"]?.number.map({ Int($0) }), area.count > 2
        else { throw MissingWalkway() }
        let map = WayfindingMap([unit, level].map { WayfindingFeature(id: $0.id, type: $0.type, content: $0.body) })
        var random = SplitMix64(seed: 5)
        var times: [Double] = []
        var paths: [JSONValue] = []
        while times.count < self.queries {
            let (from, to) = (area.point(&random), area.point(&random))
            let query = RouteQuery(
                from: .position(longitude: from.x, latitude: from.y, ordinal: ordinal),
                to: .position(longitude: to.x, latitude: to.y, ordinal: ordinal))
            let start = ContinuousClock.now
            let answer = map.route(query)
            times.append(start.elapsedMilliseconds)
            let meters = Double(answer.legs.reduce(0) { $0 + $1.decimeters }) / 10
            paths.append([
                "from": [.number(from.x), .number(from.y)], "to": [.number(to.x), .number(to.y)],
                "meters": .number(meters),
            ])
        }
        let document: JSONObject = [
            "rings": unit.geometry["coordinates"] ?? .null, "paths": .array(paths),
            "median_ms": .number(times.median),
        ]
        try Data(CanonicalJSON.data(.object(document))).write(to: URL(filePath: self.file))
        reportTimes("path in a walkway", times, ["positions": .number(Double(area.count))])
    }
}

/// A polygon in degrees.
private struct Area {
    typealias Position = (x: Double, y: Double)
    private let rings: [[Position]]

    var count: Int { self.rings.reduce(0) { $0 + $1.count } }

    init(_ polygon: JSONValue) {
        self.rings = (polygon["coordinates"]?.array ?? []).map { ring in
            (ring.array ?? []).compactMap { position -> Position? in
                guard let numbers = position.array, numbers.count > 1, let x = numbers[0].number,
                    let y = numbers[1].number
                else { return nil }
                return (x, y)
            }
        }
    }

    /// A random point inside.
    func point(_ random: inout SplitMix64) -> Position {
        let (xs, ys) = (self.rings[0].map(\.x), self.rings[0].map(\.y))
        let (left, right, bottom, top) = (xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0)
        while true {
            let point = (
                x: left + (right - left) * Self.share(&random), y: bottom + (top - bottom) * Self.share(&random)
            )
            if self.contains(point) { return point }
        }
    }

    /// A number from 0 to 1.
    private static func share(_ random: inout SplitMix64) -> Double { Double(random.next() >> 11) * 0x1p-53 }

    /// Whether a line from the point to the right crosses the rings an odd number of times.
    private func contains(_ point: Position) -> Bool {
        var isInside = false
        for ring in self.rings {
            for (start, end) in zip(ring, ring.dropFirst()) where (start.y > point.y) != (end.y > point.y) {
                let x = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
                if point.x < x { isInside.toggle() }
            }
        }
        return isInside
    }
}
