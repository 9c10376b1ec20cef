import IMDF
import SampleVenue
import Testing

@testable import Wayfinding

@Suite struct SparseIndicesTests {
    /// Against a dictionary.
    @Test(arguments: [0, 1, 63, 64, 65, 1_000])
    func `a sparse list has its indices at their positions, and none elsewhere`(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        var expected: [Int32: Int32] = [:]
        for position in 0..<Int32(count) where random.next() % 5 == 0 {
            expected[position] = Int32(random.next() % 100)
        }
        let list = SparseIndices(count: count, expected.map { ($0.key, $0.value) })
        for position in 0..<Int32(count) { #expect(list[position] == expected[position] ?? -1, "at \(position)") }
        #expect(list == SparseIndices(count: count, expected.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }))
    }

    @Test func `a full sparse list has all its indices`() {
        let positions = 0..<Int32(200)
        let list = SparseIndices(count: 200, positions.map { ($0, 3 * $0) })
        #expect(positions.allSatisfy { list[$0] == 3 * $0 })
    }

    @Test func `grouped indices keep their order`() {
        let groups = IndexGroups(count: 4, [(2, 7), (0, 3), (2, 5), (2, 7), (3, 1)])
        #expect((0..<4).map { Array(groups[$0]) } == [[3], [], [7, 5, 7], [1]])
    }

    @Test func `the half-edges of a portal are those that it has`() {
        let (both, left, right) = (PortalEdges(4, 9), PortalEdges(4, -1), PortalEdges(-1, 9))
        #expect(Array(both) == [4, 9] && Array(left) == [4] && Array(right) == [9])
        #expect(both.across(4) == 9 && both.across(9) == 4 && left.across(4) == -1 && right.across(9) == -1)
        #expect(both.moved(by: 3) == PortalEdges(7, 12) && left.moved(by: 3) == PortalEdges(7, -1))
    }

    @Test func `a mesh takes no more than 60 bytes for each triangle`() {
        let venue = SampleVenue(.init(levels: 4, unitsPerLevel: 60))
        let map = WayfindingMap(venue.features.map { WayfindingFeature(id: $0.id, type: $0.type, content: $0.body) })
        #expect(map.triangleCount > 500 && map.meshBytes <= 60 * map.triangleCount)
    }
}
