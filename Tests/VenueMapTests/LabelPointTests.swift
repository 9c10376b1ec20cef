import Foundation
import IMDF
import SampleVenue
import Testing
import VenueMap

@Suite struct LabelPointTests {
    private func point(_ entries: VenueMap.Entry...) -> LabelPoint? {
        VenueMap(entries).labelPoint(of: entries[0].id)
    }

    @Test func `a label point comes from the first rule that applies`() {
        let shape = Make.polygon(Make.square(0, 0, 2))
        let shown: JSONValue = ["display_point": Make.point(0.5, 1.5)]
        #expect(self.point(.init(1, .unit, shown, geometry: shape))?.rule == .displayPoint)
        #expect(self.point(.init(1, .unit, ["display_point": nil], geometry: shape))?.rule == .surface)
        #expect(self.point(.init(1, .unit, ["display_point": Make.point(999, 9)], geometry: shape))?.rule == .surface)
        #expect(
            self.point(.init(1, .amenity, geometry: Make.point(3, 4)))?.position == Position(longitude: 3, latitude: 4))
        let anchor = VenueMap.Entry(2, .anchor, geometry: Make.point(5, 6))
        let occupant = self.point(.init(1, .occupant, ["anchor_id": Make.id(2)]), anchor)
        #expect(occupant?.rule == .anchor)
        #expect(occupant?.position == Position(longitude: 5, latitude: 6))
        #expect(self.point(.init(1, .kiosk, ["anchor_id": Make.id(2)], geometry: shape), anchor)?.rule == .anchor)
        #expect(self.point(.init(1, .occupant, ["anchor_id": Make.id(3)]), anchor) == nil)
        #expect(self.point(.init(1, .address)) == nil)
        let line: JSONValue = ["type": "LineString", "coordinates": [[0, 0], [1, 0], [3, 0]]]
        let middle = self.point(.init(1, .opening, geometry: line))
        #expect(middle?.rule == .line)
        #expect(abs((middle?.position.longitude ?? 0) - 1.5) < 1e-9)
        let flat = Make.polygon([(0, 0), (2, 0), (1, 0)])
        #expect(self.point(.init(1, .unit, geometry: flat))?.rule == .line)
    }

    @Test func `a display point outside of the area of its feature is not used`() {
        let (shape, line) = (
            Make.polygon(Make.square(0, 0, 2)), ["type": "LineString", "coordinates": [[0, 0], [1, 0]]] as JSONValue
        )
        func rule(_ type: FeatureType, _ x: Double, _ y: Double, _ geometry: JSONValue?) -> LabelPoint.Rule? {
            self.point(.init(1, type, ["display_point": Make.point(x, y)], geometry: geometry ?? .null))?.rule
        }
        for type in [FeatureType.unit, .level, .section, .kiosk, .venue] {
            #expect(rule(type, 1, 1, shape) == .displayPoint)
            // On the outline, and less than a meter away from it, where rounding can put it.
            #expect(rule(type, 2, 1, shape) == .displayPoint)
            #expect(rule(type, 2.000_005, 1, shape) == .displayPoint)
            for (x, y) in [(2.0025, 1.0), (-0.0025, 1.0), (1.0, 2.1), (1.0, -2.1), (0.0, 0.0 - 90), (9.0, 9.0)] {
                #expect(rule(type, x, y, shape) == .surface)
            }
        }
        let hole: JSONValue = [
            "type": "Polygon",
            "coordinates": [Make.ring(Make.square(0, 0, 2)), Make.ring(Make.square(0.9, 0.9, 0.2))],
        ]
        #expect(rule(.unit, 1, 1, hole) == .surface)
        // What has no area has nothing that a point could be outside of.
        #expect(rule(.opening, 1, 1, line) == .displayPoint)
        #expect(rule(.building, 1, 1, nil) == .displayPoint)
    }

    @Test func `a label point is in the largest polygon`() {
        let parts: JSONValue = [
            "type": "MultiPolygon",
            "coordinates": [[Make.ring(Make.square(0, 0, 1))], [Make.ring(Make.square(10, 10, 2))]],
        ]
        #expect(self.point(.init(1, .unit, geometry: parts))?.position == Position(longitude: 11, latitude: 11))
    }

    /// Stars with rays of random length and holes near the middle, and combs. The winding number checks independently that the point is
    /// inside.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a label point is strictly inside any polygon`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<25 {
            let rings = Bool.random(using: &random) ? Self.star(using: &random) : Self.comb(using: &random)
            let geometry: JSONValue = ["type": "Polygon", "coordinates": .array(rings.map { Make.ring($0) })]
            let entry = VenueMap.Entry(1, .unit, geometry: geometry)
            let point = try #require(VenueMap([entry]).labelPoint(of: entry.id))
            #expect(point.rule == .surface)
            #expect(Self.winding(of: rings[0], around: point.position) != 0)
            for hole in rings.dropFirst() { #expect(Self.winding(of: hole, around: point.position) == 0) }
            for ring in rings { #expect(Self.distance(of: ring, to: point.position) > 1e-13) }
            #expect(VenueMap([entry]).labelPoint(of: entry.id) == point)
        }
    }

    private static func star(using random: inout SplitMix64) -> [[(Double, Double)]] {
        let longitude = Double.random(in: -179...179, using: &random)
        let latitude = Double.random(in: -84...84, using: &random)
        let size = pow(10, Double.random(in: -5 ... -1, using: &random))
        let count = Int.random(in: 3...40, using: &random)
        func ring(_ radius: ClosedRange<Double>) -> [(Double, Double)] {
            (0..<count).map { index in
                let angle = Double(index) / Double(count) * 2 * .pi
                let radius = size * Double.random(in: radius, using: &random)
                return (longitude + radius * cos(angle), latitude + radius * sin(angle))
            }
        }
        // The corners of the hole lie inside the circle that touches the shortest chord of the star.
        let inner = 0.3 * cos(.pi / Double(count))
        return count < 5 ? [ring(0.3...1)] : [ring(0.3...1), ring(0.1 * inner...0.9 * inner)]
    }

    private static func comb(using random: inout SplitMix64) -> [[(Double, Double)]] {
        let teeth = Int.random(in: 1...12, using: &random)
        let unit = 1e-5
        var positions: [(Double, Double)] = [(Double(2 * teeth) * unit, 0), (0, 0)]
        for tooth in 0..<teeth {
            let height = Double.random(in: 1...9, using: &random) * unit
            let west = Double(2 * tooth) * unit
            positions += [
                (west, height), (west + unit, height), (west + unit, 0.1 * unit), (west + 2 * unit, 0.1 * unit),
            ]
        }
        let turn = Double.random(in: 0..<(2 * .pi), using: &random)
        return [
            positions.map { x, y in
                (139.7 + x * cos(turn) - y * sin(turn), -35.6 + x * sin(turn) + y * cos(turn))
            }
        ]
    }

    /// The winding number of a ring around a position: the sum of the angles of its sides, as seen from there.
    private static func winding(of ring: [(Double, Double)], around position: Position) -> Int {
        var sum = 0.0
        for index in ring.indices {
            let (start, end) = (ring[index], ring[(index + 1) % ring.count])
            let first = atan2(start.1 - position.latitude, start.0 - position.longitude)
            let second = atan2(end.1 - position.latitude, end.0 - position.longitude)
            sum += (second - first).remainder(dividingBy: 2 * .pi)
        }
        return Int((sum / (2 * .pi)).rounded())
    }

    private static func distance(of ring: [(Double, Double)], to position: Position) -> Double {
        ring.indices.map { index in
            let (start, end) = (ring[index], ring[(index + 1) % ring.count])
            let (x, y) = (end.0 - start.0, end.1 - start.1)
            let (u, v) = (position.longitude - start.0, position.latitude - start.1)
            let share = min(max((u * x + v * y) / (x * x + y * y), 0), 1)
            return hypot(u - share * x, v - share * y)
        }.min() ?? 0
    }

    @Test func `a label point of a degenerate polygon is found in bounded time`() throws {
        var ring: [(Double, Double)] = [(0, 0), (1, 0), (1, 1e-9), (0.5, 1e-9)]
        let spike = (1...20_000).map { (0.5, 1e-9 + Double($0) * 1e-4) }
        ring += spike + spike.reversed() + [(0.5, 1e-9), (0, 1e-9)]
        let map = VenueMap([VenueMap.Entry(1, .unit, geometry: Make.polygon(ring))])
        #expect(map.labelPoint(of: FeatureID(1)) != nil)
    }
}
