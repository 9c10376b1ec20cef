import Foundation

/// Geometries that are expensive to compare, in a square of 100 meters.
package enum HostileShape: String, CaseIterable, Sendable {
    case standingComb
    case lyingComb
    case spiral
    case star
    /// Long triangles around a core.
    case needles
    /// A square full of square holes.
    case holes
    /// Wide sections connected by narrow ones: a negative buffer splits it into many parts.
    case beads
    /// Many parts, none of which touches another.
    case islands
    /// A ring with many self-intersections.
    case tangle
    /// A polygon that covers the globe.
    case globe

    /// The geometry as JSON text; its number of positions is proportional to `count`.
    package func geometry(_ count: Int) -> String {
        switch self {
        case .standingComb: HostilePlan.polygon([Self.comb(count).map { ($0.along, $0.across) }])
        case .lyingComb: HostilePlan.polygon([Self.comb(count).map { ($0.across, $0.along) }])
        case .spiral: HostilePlan.polygon([Self.spiral(count)])
        case .star: HostilePlan.polygon([Self.star(count, inner: 25)])
        case .needles: HostilePlan.polygon([Self.star(count, inner: 0.5)])
        case .holes: HostilePlan.polygon([Self.square(0, 0, 100)] + Self.grid(count))
        case .beads: HostilePlan.polygon([Self.beads(count)])
        case .islands: Self.multiPolygon(Self.grid(count))
        case .tangle: HostilePlan.polygon([Self.tangle(count)])
        case .globe:
            #"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]}"#
        }
    }

    private typealias Ring = [(x: Double, y: Double)]

    private static func comb(_ teeth: Int) -> [(along: Double, across: Double)] {
        let width = 100 / Double(2 * teeth + 1)
        var ring: [(along: Double, across: Double)] = [(0, -5), (100, -5)]
        for tooth in stride(from: teeth - 1, through: 0, by: -1) {
            let start = Double(2 * tooth + 1) * width
            ring += [(start + width, -2), (start + width, 102), (start, 102), (start, -2)]
        }
        return ring + [(0, -2)]
    }

    /// A spiral line and the same line at a small distance in reverse, so that the ring has an area.
    private static func spiral(_ count: Int) -> Ring {
        let turns = Double(count) / 40
        let pitch = 45 / turns
        func point(_ step: Int, _ offset: Double) -> (x: Double, y: Double) {
            let angle = Double(step) * 2 * .pi / 40
            let radius = 2 + angle / (2 * .pi) * pitch + offset
            return (50 + radius * cos(angle), 50 + radius * sin(angle))
        }
        return (0..<count).map { point($0, 0) } + (0..<count).reversed().map { point($0, pitch / 2) }
    }

    private static func star(_ count: Int, inner: Double) -> Ring {
        (0..<2 * count).map { step in
            let angle = Double(step) * .pi / Double(count)
            let radius = step % 2 == 0 ? 50 : inner
            return (50 + radius * cos(angle), 50 + radius * sin(angle))
        }
    }

    private static func square(_ x: Double, _ y: Double, _ side: Double) -> Ring {
        [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    }

    private static func grid(_ count: Int) -> [Ring] {
        let side = max(Int(Double(count).squareRoot()), 1)
        let step = 98 / Double(side)
        return (0..<side * side).map { number in
            Self.square(1 + Double(number % side) * step, 1 + Double(number / side) * step, step / 2)
        }
    }

    private static func beads(_ count: Int) -> Ring {
        let step = 100 / Double(count)
        let heights = (0..<2 * count).map { $0 / 2 % 2 == 0 ? 0.001 : 1.0 }
        let top = heights.enumerated().map { (x: Double($0 / 2) * step + Double($0 % 2) * step, y: 50 + $1) }
        return top.map { ($0.x, 100 - $0.y) } + top.reversed()
    }

    private static func tangle(_ count: Int) -> Ring {
        (0..<count).map { step in
            let angle = Double(step) * 2.4
            return (50 + 50 * cos(angle), 50 + 50 * sin(angle))
        }
    }

    private static func multiPolygon(_ rings: [Ring]) -> String {
        let parts = rings.map { ring in
            "[[" + (ring + ring.prefix(1)).map { HostilePlan.position($0.x, $0.y) }.joined(separator: ",") + "]]"
        }
        return #"{"type":"MultiPolygon","coordinates":["# + parts.joined(separator: ",") + "]}"
    }
}
