import IMDF
import IMDFValidation
import SampleVenue
import Testing

/// GEOS and the indexes against simple models.
@Suite struct PlanarGeometryTests {
    private static func star(_ random: inout SplitMix64, corners: Int) -> [PlanarPoint] {
        // Corners in the order of their directions around the centre.
        let centre = PlanarPoint(
            x: .random(in: -1_000...1_000, using: &random), y: .random(in: -1_000...1_000, using: &random))
        let angles = (0..<corners).map { _ in Double.random(in: 0..<1, using: &random) }.sorted()
        var ring = angles.map { angle in
            // A square's outline instead of a circle's: no trigonometry to trust in.
            let side = angle * 4
            let (x, y): (Double, Double) =
                switch side {
                case ..<1: (side * 2 - 1, -1)
                case ..<2: (1, side * 2 - 3)
                case ..<3: (5 - side * 2, 1)
                default: (-1, 7 - side * 2)
                }
            let reach = Double.random(in: 1...50, using: &random)
            return PlanarPoint(x: centre.x + x * reach, y: centre.y + y * reach)
        }
        ring.append(ring[0])
        return ring
    }

    /// Whether an odd number of edges lies east of the point; nil when it is too near to one to say.
    private static func encloses(_ ring: [PlanarPoint], _ point: PlanarPoint) -> Bool? {
        var inside = false
        for (from, to) in zip(ring, ring.dropFirst()) {
            let cross = (to.x - from.x) * (point.y - from.y) - (point.x - from.x) * (to.y - from.y)
            if abs(cross) < 1e-6 { return nil }
            if (from.y > point.y) != (to.y > point.y), (cross > 0) == (to.y > from.y) { inside.toggle() }
        }
        return inside
    }

    private static func area(_ ring: [PlanarPoint]) -> Double {
        abs(zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `planar geometry: covers agrees with ray casting`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let geos = GEOSContext()
        var ring = Self.star(&random, corners: .random(in: 3...40, using: &random))
        // If all corners lie on one side of the centre, the last edge may cross others.
        while try geos.polygon([ring]).invalidity() != nil {
            ring = Self.star(&random, corners: .random(in: 3...40, using: &random))
        }
        let polygon = try geos.polygon([ring])
        var tested = 0
        for _ in 0..<400 {
            let point = PlanarPoint(
                x: ring[0].x + .random(in: -60...60, using: &random),
                y: ring[0].y + .random(in: -60...60, using: &random))
            guard let expected = Self.encloses(ring, point) else { continue }
            tested += 1
            #expect(try polygon.covers(geos.point(point)) == expected)
        }
        #expect(tested > 300)
        #expect(abs(try polygon.area() - Self.area(ring)) < 1e-6)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `planar geometry: areas add up to union and intersection`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let geos = GEOSContext()
        let one = try geos.polygon([Self.box(&random)])
        let other = try geos.polygon([Self.box(&random)])
        let common = try one.intersection(other).area()
        #expect(try one.overlaps(other) == (common > 0))
        #expect(abs(try one.area() + other.area() - geos.union([one, other]).area() - common) < 1e-9)
        #expect(abs(try one.subtracting(other).area() - (one.area() - common)) < 1e-9)
    }

    private static func box(_ random: inout SplitMix64) -> [PlanarPoint] {
        let (x, y) = (Double.random(in: 0...5, using: &random), Double.random(in: 0...5, using: &random))
        let (width, height) = (Double.random(in: 1...5, using: &random), Double.random(in: 1...5, using: &random))
        return [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)].map { PlanarPoint(x: x + $0.0 * width, y: y + $0.1 * height) }
    }

    @Test(arguments: [0, 1, 2, 7, 8, 9, 63, 64, 65, 500, 5_000])
    func `box index: it finds the same boxes as a linear search`(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        func box(_ size: Double) -> Box {
            let (x, y) = (Double.random(in: 0...100, using: &random), Double.random(in: 0...100, using: &random))
            return Box(
                minX: x, minY: y, maxX: x + .random(in: 0...size, using: &random),
                maxY: y + .random(in: 0...size, using: &random))
        }
        let boxes = (0..<count).map { _ in box(5) }
        let index = BoxIndex(boxes)
        for _ in 0..<50 {
            let window = box(20)
            #expect(index.indices(intersecting: window) == boxes.indices.filter { boxes[$0].intersects(window) })
        }
        var seen = 0
        index.search(Box(minX: 0, minY: 0, maxX: 200, maxY: 200)) { _ in
            seen += 1
            return seen < 3
        }
        #expect(seen == min(count, 3))
    }

    @Test(arguments: [3, 12, 40])
    func `chain spans: pairs equal those of a linear search`(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        // Every edge turns back, so each is a chain.
        func zigzag() -> [PlanarPoint] {
            (0...count).map { step in
                PlanarPoint(x: (step.isMultiple(of: 2) ? -1 : 1) * .random(in: 1...9, using: &random), y: 0)
            }
        }
        func apart(_ path: [PlanarPoint], by shift: Double) -> [[PlanarPoint]] {
            zip(path, path.dropFirst()).map { [$0, $1].map { PlanarPoint(x: $0.x * shift, y: $0.y) } }
        }
        let (one, other) = ([zigzag()], apart(zigzag(), by: 3))
        func spans(_ paths: [[PlanarPoint]]) -> [ClosedRange<Double>] {
            paths.flatMap { zip($0, $0.dropFirst()).map { min($0.x, $1.x)...max($0.x, $1.x) } }
        }
        let (ones, others) = (spans(one), spans(other))
        let own = ones.indices.reduce(0) { sum, at in sum + ones[..<at].count { $0.overlaps(ones[at]) } }
        #expect(ChainSpans(one).pairs == own)
        let both = ones.reduce(0) { sum, span in sum + others.count { $0.overlaps(span) } }
        #expect(ChainSpans(one).pairs(with: ChainSpans(other)) == both)
        #expect(ChainSpans(other).pairs(with: ChainSpans(one)) == both)
        let east = ChainSpans(one.map { $0.map { PlanarPoint(x: $0.x + 100, y: $0.y) } })
        #expect(east.pairs(with: ChainSpans(other)) == 0)
    }

    @Test func `planar geometry: failures of GEOS are errors and leave the context usable`() throws {
        let geos = GEOSContext()
        let good = try geos.polygon([Self.square])
        #expect(throws: ComputationFailure.self) { try geos.polygon([Array(Self.square.prefix(2))]) }
        #expect(throws: ComputationFailure.self) { try geos.line([PlanarPoint(x: 0, y: 0)]) }
        #expect(try good.area() == 4, "and it goes on afterwards")
    }

    private static let square = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
        PlanarPoint(x: Double($0.0), y: Double($0.1))
    }

    @Test func `planar geometry: an invalid area has a reason and a position`() throws {
        let geos = GEOSContext()
        let bow = [(0, 0), (2, 2), (2, 0), (0, 2), (0, 0)].map { PlanarPoint(x: Double($0.0), y: Double($0.1)) }
        let invalidity = try #require(try geos.polygon([bow]).invalidity())
        #expect(invalidity.reason == "Self-intersection")
        #expect(invalidity.at == PlanarPoint(x: 1, y: 1))
    }

    @Test func `projection: metres are accurate to one in a thousand`() {
        // 0.01° at 60° N: 1 114.0 m by 557.8 m on the WGS 84 ellipsoid (111 412 m and 55 800 m a degree).
        let projection = Projection(origin: Position(longitude: 25, latitude: 60))
        let point = projection.point(Position(longitude: 25.01, latitude: 60.01))
        #expect(abs(point.x - 558.0) < 0.5)
        #expect(abs(point.y - 1_114.1) < 0.5)
        #expect(projection.position(point) == Position(longitude: 25.01, latitude: 60.01))
    }
}
