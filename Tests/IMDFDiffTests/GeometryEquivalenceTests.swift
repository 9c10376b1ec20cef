import IMDF
import IMDFDiff
import Testing

struct GeometryEquivalenceTests {
    private func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let result = Equivalence.plain.sameGeometry(left, right)
        #expect(Equivalence.plain.sameGeometry(right, left) == result, "the other way round")
        return result
    }

    private let ring = square(24.94, 60.17, side: 0.001)
    private var polygon: JSONValue { .geometry("Polygon", JSONValue([self.ring])) }

    @Test func `geometry equivalence: a ring may start anywhere and run in either direction`() {
        for steps in 0..<4 {
            let turned = self.ring.turned(by: steps)
            #expect(self.same(self.polygon, .geometry("Polygon", JSONValue([turned]))))
            #expect(self.same(self.polygon, .geometry("Polygon", JSONValue([Ring(turned.reversed())]))))
        }
    }

    @Test func `geometry equivalence: the order of vertices matters`() {
        let bow: Ring = [self.ring[0], self.ring[2], self.ring[1], self.ring[3], self.ring[0]]
        #expect(!self.same(self.polygon, .geometry("Polygon", JSONValue([bow]))))
    }

    @Test func `geometry equivalence: an open ring has a start and a direction`() {
        let open = Array(self.ring.dropLast())
        let turned = Array(open[1...] + open[..<1])
        #expect(!self.same(.geometry("Polygon", JSONValue([open])), self.polygon))
        #expect(!self.same(.geometry("Polygon", JSONValue([open])), .geometry("Polygon", JSONValue([turned]))))
        #expect(self.same(.geometry("Polygon", JSONValue([open])), .geometry("Polygon", JSONValue([open]))))
    }

    @Test func `geometry equivalence: the last vertex of an open ring is compared`() {
        let (left, right): (Ring, Ring) = ([[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 0], [0.5, 0.5]])
        #expect(!self.same(.geometry("Polygon", JSONValue([left])), .geometry("Polygon", JSONValue([right]))))
    }

    @Test func `geometry equivalence: a repeated vertex is a difference`() {
        #expect(!self.same(self.polygon, .geometry("Polygon", JSONValue([[self.ring[0]] + self.ring]))))
    }

    @Test func `geometry equivalence: lines have a start and a direction, even closed ones`() {
        let line = JSONValue(Array(self.ring[0...2]))
        let back = JSONValue(Ring(self.ring[0...2].reversed()))
        #expect(self.same(.geometry("LineString", line), .geometry("LineString", line)))
        #expect(!self.same(.geometry("LineString", line), .geometry("LineString", back)))
        #expect(
            !self.same(
                .geometry("LineString", JSONValue(self.ring)),
                .geometry("LineString", JSONValue(self.ring.turned(by: 1)))))
    }

    @Test func `geometry equivalence: a Multi* geometry of one part equals the single geometry`() {
        #expect(self.same(self.polygon, .geometry("MultiPolygon", JSONValue([[self.ring.turned(by: 2)]]))))
        #expect(self.same(.point(1, 2), .geometry("MultiPoint", [[1, 2]])))
        #expect(
            self.same(
                .geometry("LineString", JSONValue(self.ring)), .geometry("MultiLineString", JSONValue([self.ring]))))
        #expect(!self.same(.point(1, 2), .geometry("MultiPoint", [[1, 2], [1, 2]])))
        #expect(!self.same(.point(1, 2), .geometry("MultiPoint", [])))
        #expect(!self.same(.point(1, 2), .geometry("LineString", [[1, 2]])))
        #expect(!self.same(.geometry("LineString", JSONValue(self.ring)), self.polygon))
    }

    @Test func `geometry equivalence: parts and holes have no order, but the exterior ring is first`() {
        let (one, two, three) = (square(0, 0, side: 9), square(1, 1), square(3, 3))
        #expect(
            self.same(
                .geometry("Polygon", JSONValue([one, two, three])),
                .geometry("Polygon", JSONValue([one.turned(by: 3), three, Ring(two.reversed())]))))
        #expect(
            !self.same(
                .geometry("Polygon", JSONValue([one, two, three])), .geometry("Polygon", JSONValue([two, one, three]))))
        #expect(
            self.same(
                .geometry("MultiPolygon", JSONValue([[one, three, two], [square(20, 0)]])),
                .geometry("MultiPolygon", JSONValue([[square(20, 0)], [one, two, three]]))))
        #expect(
            !self.same(
                .geometry("MultiPolygon", JSONValue([[one, two], [square(20, 0), square(20.1, 0.1, side: 0.1)]])),
                .geometry("MultiPolygon", JSONValue([[one], [square(20, 0), square(20.1, 0.1, side: 0.1), two]]))))
        #expect(
            self.same(
                .geometry("MultiLineString", JSONValue([one, two])),
                .geometry("MultiLineString", JSONValue([two, one]))
            ))
        #expect(self.same(.geometry("MultiPoint", [[1, 2], [3, 4]]), .geometry("MultiPoint", [[3, 4], [1, 2]])))
    }

    @Test func `geometry equivalence: a hole that matches two others is matched so that all have a match`() {
        // The first point may take either, the second only one of them, so that first come, first served would fail.
        let step = 0.9e-7
        #expect(
            self.same(
                .geometry("MultiPoint", [[.number(step), 0], [0, 0]]),
                .geometry("MultiPoint", [[.number(step * 0.5), 0], [.number(step * 2), 0]])))
        #expect(
            !self.same(
                .geometry("MultiPoint", [[.number(step), 0], [0, 0]]),
                .geometry("MultiPoint", [[.number(step * 2), 0], [.number(step * 2), 0]])))
    }

    @Test func `geometry equivalence: altitudes are compared like other ordinates`() {
        #expect(self.same(.geometry("Point", [1, 2, 3]), .geometry("Point", [1, 2, 3])))
        #expect(!self.same(.geometry("Point", [1, 2, 3]), .geometry("Point", [1, 2, 4])))
        #expect(!self.same(.geometry("Point", [1, 2, 0]), .geometry("Point", [1, 2])))
        #expect(
            self.same(
                .geometry("MultiPoint", [[1, 2, 3], [4, 5, 6]]), .geometry("MultiPoint", [[4, 5, 6], [1, 2, 3]])))
        #expect(
            !self.same(
                .geometry("MultiPoint", [[1, 2, 3], [1, 2, 6]]), .geometry("MultiPoint", [[1, 2, 6], [1, 2, 7]]))
        )
    }

    @Test func `geometry equivalence: other members of a geometry are compared exactly`() {
        let plain: JSONValue = ["type": "Point", "coordinates": [1, 2]]
        #expect(self.same(plain, ["type": "Point", "coordinates": [1, 2], "crs": nil]))
        #expect(!self.same(plain, ["type": "Point", "coordinates": [1, 2], "crs": "x"]))
        #expect(
            !self.same(
                ["type": "Point", "coordinates": [1, 2], "height": 1],
                ["type": "Point", "coordinates": [1, 2], "height": .number(1 + 1e-9)]))
    }

    @Test func `geometry equivalence: the order of a collection matters, its members are geometries`() {
        func collection(_ geometries: JSONValue...) -> JSONValue {
            ["type": "GeometryCollection", "geometries": .array(geometries)]
        }
        let turned = JSONValue.geometry("Polygon", JSONValue([self.ring.turned(by: 1)]))
        #expect(self.same(collection(self.polygon, .point(1, 2)), collection(turned, .point(1, 2.00000005))))
        #expect(!self.same(collection(self.polygon, .point(1, 2)), collection(.point(1, 2), self.polygon)))
        #expect(!self.same(collection(.point(1, 2)), .point(1, 2)))
    }

    @Test(
        arguments: [
            .geometry("Point", []), .geometry("Point", [1]), .geometry("Point", "1,2"), .geometry("Point", [[1, 2]]),
            .geometry("Point", [1, "2"]), .geometry("Polygon", []), .geometry("Polygon", [[]]),
            .geometry("Polygon", [[1, 2], [3, 4]]), .geometry("Polygon", [[[1, 2], [3]]]),
            .geometry("Polygon", [[nil]]),
            .geometry("Polygon", [[[1, 2]]]), .geometry("MultiPolygon", [[]]),
            .geometry("MultiPolygon", [[[[1, 2, 3]]]]),
            .geometry("LineString", []), .geometry("MultiLineString", [[[1, 2], [3, 4]], []]),
            .geometry("Circle", [1, 2]),
            ["type": "Point"], ["coordinates": [1, 2]], ["type": 7, "coordinates": [1, 2]], [:], [], "POINT (1 2)", 7,
            ["type": "GeometryCollection", "geometries": 3], ["type": "Point", "coordinates": ["x": 1]],
        ] as [JSONValue])
    func `geometry equivalence: malformed geometry equals only itself`(geometry: JSONValue) {
        #expect(self.same(geometry, geometry))
        for other: JSONValue in [.point(7, 7), self.polygon, .geometry("MultiPolygon", JSONValue([[self.ring]])), nil] {
            #expect(!self.same(geometry, other))
        }
    }

    @Test func `geometry equivalence: the tolerance applies to malformed geometry`() {
        #expect(self.same(.geometry("Circle", [1, 2]), .geometry("Circle", [1.00000005, 2])))
        #expect(!self.same(.geometry("Circle", [1, 2]), .geometry("Circle", [1.0000005, 2])))
        #expect(self.same(.geometry("Polygon", [[[1], [2]]]), .geometry("Polygon", [[[1.00000005], [2]]])))
    }
}
