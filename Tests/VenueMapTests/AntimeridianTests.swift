import Foundation
import IMDF
import Testing
import VenueMap

@Suite struct AntimeridianTests {
    private func position(_ longitude: Double) -> Position { Position(longitude: longitude, latitude: 0.5) }

    private func box(_ west: Double, _ east: Double) -> BoundingBox {
        BoundingBox(west: west, south: 0, east: east, north: 1)
    }

    @Test func `a box of positions on both sides of the antimeridian crosses it`() throws {
        let box = try #require(BoundingBox([179.5, -179.5, 180, -180].map(self.position)))
        #expect(box.west == 179.5 && box.east == 180.5 && box.crossesAntimeridian)
        for longitude in [179.5, 179.75, 180, -180, -179.75, -179.5] { #expect(box.contains(self.position(longitude))) }
        for longitude in [179.25, -179.25, 0, 90, -90] { #expect(!box.contains(self.position(longitude))) }
        #expect(box.intersects(self.box(-179.75, -179)) && box.intersects(self.box(179, 179.75)))
        #expect(self.box(-179.75, -179).intersects(box) && !box.intersects(self.box(-90, 90)))
    }

    @Test func `the union of boxes on both sides is that of a building`() {
        for (one, other) in [(179.0, -179.5), (-179.5, 179.0)] {
            let union = self.box(one, one + 0.5).union(self.box(other, other + 0.5))
            #expect(union.west == 179 && union.east == 181)
            #expect(union.union(self.box(-179.75, -179.25)) == union && self.box(179.25, 179.5).union(union) == union)
        }
    }

    @Test(arguments: [(-1.0, 1.0), (-170, 170), (-180, 180), (10, 170), (-180, -179), (179, 180)])
    func `other boxes are as before`(west: Double, east: Double) {
        let box = BoundingBox([west, 0.5 * (west + east), east].map(self.position))
        #expect(box?.west == west && box?.east == east && box?.crossesAntimeridian == false)
        #expect(
            self.box(west, west).union(self.box(east, east)).crossesAntimeridian == (east - west > 180 && west > -180))
    }

    @Test func `a box around the world stays one`() {
        let box = BoundingBox([-180, 180].map(self.position))
        #expect(box?.west == -180 && box?.east == 180)
    }
}
