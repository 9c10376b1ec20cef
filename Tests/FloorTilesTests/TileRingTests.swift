import CGEOS
import FloorTiles
import SampleVenue
import Testing

/// What vector tiles do without GEOS agrees with GEOS.
@Suite struct TileRingTests {
    @Test(arguments: 0..<4) func `a ring is simple if GEOS finds its polygon valid`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var counts = [true: 0, false: 0]
        for _ in 0..<5_000 {
            let side = Int32.random(in: 2...40, using: &random)
            var ring: [TilePoint] = []
            for _ in 0..<Int.random(in: 3...9, using: &random) {
                ring.append(
                    distinct: TilePoint(
                        x: Int32.random(in: 0...side, using: &random), y: Int32.random(in: 0...side, using: &random)))
            }
            while ring.count > 1, ring.first == ring.last { ring.removeLast() }
            guard ring.count >= 3 else { continue }
            let isValid = Geometry(ring: ring.map { (Double($0.x), Double($0.y)) }).isValid
            #expect(ring.isSimple == isValid, "\(ring)")
            counts[isValid, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 100 })
    }

    @Test func `a ring that turns in one direction, but twice around, is not simple`() {
        let star = [(5, 0), (8, 9), (0, 3), (10, 3), (2, 9)].map { TilePoint(x: $0.0, y: $0.1) }
        #expect(star.isSimple == false)
        let isConvex = clipper(star.map { LocalPoint(x: Double($0.x), y: Double($0.y)) }).isConvex
        #expect(!isConvex)
        let twice = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 1), (9, 1), (9, 9), (1, 9)]
        #expect(twice.map { TilePoint(x: Int32($0.0), y: Int32($0.1)) }.isSimple == false)
    }

    @Test(arguments: 0..<4) func `a convex ring is cut as GEOS cuts it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var crossing = 0
        for _ in 0..<500 {
            // Points of an ellipse in the order of their angles.
            let center = (
                Double.random(in: -500...4_600, using: &random), Double.random(in: -500...4_600, using: &random)
            )
            let radii = (Double.random(in: 1...6_000, using: &random), Double.random(in: 1...6_000, using: &random))
            let angles = (0..<Int.random(in: 3...12, using: &random)).map { _ in
                Double.random(in: 0..<6.28, using: &random)
            }.sorted()
            let points = angles.map { (center.0 + radii.0 * cosine($0), center.1 + radii.1 * cosine($0 - .pi / 2)) }
            let ring = points.map { LocalPoint(x: $0.0, y: $0.1) }
            var convex = clipper(ring)
            guard convex.isConvex else { continue }
            convex.clip()
            let cut = Array(convex.ring.elements)
            let expected = Geometry(ring: points).areaInTile
            let area = cut.count < 3 ? 0 : Geometry(ring: cut.map { ($0.x, $0.y) }).area
            #expect(abs(area - expected) <= 1e-6 * max(1, expected))
            #expect(cut.allSatisfy { LocalPoint.isInside($0) })
            if !cut.isEmpty, !ring.allSatisfy(LocalPoint.isInside) { crossing += 1 }
        }
        #expect(crossing > 100)
    }
}

private func clipper(_ ring: [LocalPoint]) -> RingClipper {
    var clipper = RingClipper()
    ring.withUnsafeBufferPointer { clipper.ring.append(contentsOf: $0) }
    return clipper
}

/// By its series: the tests need no more digits.
private func cosine(_ angle: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for index in stride(from: 1.0, to: 60, by: 2) {
        term *= -angle * angle / (index * (index + 1))
        sum += term
    }
    return sum
}

/// A polygon of GEOS.
private final class Geometry {
    private let geos: OpaquePointer
    private let polygon: OpaquePointer?

    /// - Parameter ring: Does not repeat its first point.
    init(ring: [(Double, Double)]) {
        let geos: OpaquePointer = GEOS_init_r()
        let ordinates = (ring + ring.prefix(1)).flatMap { [$0.0, $0.1] }
        let sequence = GEOSCoordSeq_copyFromBuffer_r(geos, ordinates, UInt32(ring.count + 1), 0, 0)
        let shell = GEOSGeom_createLinearRing_r(geos, sequence)
        self.polygon = shell.flatMap { GEOSGeom_createPolygon_r(geos, $0, nil, 0) }
        self.geos = geos
    }

    deinit {
        if let polygon { GEOSGeom_destroy_r(self.geos, polygon) }
        GEOS_finish_r(self.geos)
    }

    var isValid: Bool { self.polygon.map { GEOSisValid_r(self.geos, $0) == 1 } ?? false }

    var area: Double { Self.area(self.polygon, self.geos) }

    var areaInTile: Double {
        let range = LocalPoint.range
        let (low, high) = (range.lowerBound, range.upperBound)
        guard let cut = GEOSClipByRect_r(self.geos, self.polygon, low, low, high, high) else { return 0 }
        defer { GEOSGeom_destroy_r(self.geos, cut) }
        return Self.area(cut, self.geos)
    }

    private static func area(_ geometry: OpaquePointer?, _ geos: OpaquePointer) -> Double {
        var area = 0.0
        return geometry.map { GEOSArea_r(geos, $0, &area) == 1 } == true ? area : 0
    }
}
