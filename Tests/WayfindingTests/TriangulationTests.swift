import SampleVenue
import Testing

@testable import Wayfinding

@Suite struct TriangulationTests {
    static func check(_ triangulation: Triangulation) {
        for edge in 0..<Int32(triangulation.origins.count) {
            let twin = triangulation.twins[Int(edge)]
            if twin >= 0 {
                #expect(triangulation.twins[Int(twin)] == edge)
                #expect(triangulation.origins[Int(twin)] == triangulation.origins[Int(Triangulation.next(edge))])
                #expect(triangulation.marks[Int(twin)] == triangulation.marks[Int(edge)])
            }
        }
        for triangle in 0..<triangulation.triangleCount {
            let corners = (0..<3).map { triangulation.points[Int(triangulation.origins[3 * triangle + $0])] }
            #expect(GridPoint.orientation(corners[0], corners[1], corners[2]) > 0)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random rings give a valid triangulation`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = seed % 2 == 0 ? 40 : 100_000
        let points = (0..<30).map { _ in
            GridPoint(x: Int(random.next() % UInt64(size)), y: Int(random.next() % UInt64(size)))
        }
        var triangulation = Triangulation(around: GridBox(points)!, expecting: 30)
        let indices = points.map { triangulation.add($0) }
        Self.check(triangulation)
        for (start, end) in zip(indices, indices.dropFirst() + indices.prefix(1)) {
            triangulation.add(segment: start, end, .outerRing)
        }
        Self.check(triangulation)
        #expect(!triangulation.isTooComplex)
    }
}
