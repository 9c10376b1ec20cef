import IMDF
import Testing

/// The reader of geometries that strict decoding, maps, validation and comparison share.
@Suite struct GeoJSONReaderTests {
    private static func read(_ type: String, _ coordinates: JSONValue) -> (GeoJSONGeometry?, [GeoJSONDefect]) {
        var reader = GeoJSONReader()
        let geometry = reader.read(["type": .string(type), "coordinates": coordinates])
        return (geometry, reader.defects)
    }

    @Test func `geometry reader: positions are flat, with ranges for paths and parts`() throws {
        let square: JSONValue = [[0, 0], [9, 0], [9, 9], [0, 0]]
        let hole: JSONValue = [[1, 1], [1, 2], [2, 2], [1, 1]]
        let (geometry, defects) = Self.read("MultiPolygon", [[square, hole], [square]])
        let read = try #require(geometry)
        #expect(defects.isEmpty && read.kind == .polygons && read.isMulti && read.dimension == 2)
        #expect(read.paths == [0..<4, 4..<8, 8..<12] && read.parts == [0..<2, 2..<3])
        #expect(read.positions(ofPath: 1).map(\.longitude) == [1, 1, 2, 1])
        #expect(read.ordinates.count == 24)
    }

    @Test func `geometry reader: altitudes are kept if all positions have one`() throws {
        let (same, _) = Self.read("LineString", [[1, 2, 3], [4, 5, 6]])
        #expect(same?.dimension == 3 && same?.ordinates == [1, 2, 3, 4, 5, 6] && same?.hasUniformDimension == true)
        let (mixed, defects) = Self.read("LineString", [[1, 2, 3], [4, 5], [6, 7, 8, 9]])
        #expect(mixed?.dimension == 2 && mixed?.ordinates == [1, 2, 4, 5, 6, 7] && mixed?.hasUniformDimension == false)
        #expect(defects.isEmpty)
    }

    /// Coordinates, and the kind, number and path of the only defect.
    private static let defects: [(String, JSONValue, GeoJSONDefect.Kind, Int, String)] = [
        ("Sphere", [0, 0], .unknownType, 1, "/geometry/type"),
        ("GeometryCollection", [], .unknownType, 1, "/geometry/type"),
        ("Polygon", [], .malformedCoordinates, 1, "/geometry/coordinates"),
        ("MultiPoint", [[0, 0], 5], .malformedCoordinates, 1, "/geometry/coordinates/1"),
        (
            "MultiPolygon", [[[[0, 0], [9, 0], [9, 9], [0, 0]], "x"]], .malformedCoordinates, 1,
            "/geometry/coordinates/0/1"
        ),
        ("LineString", [[0, 0], [nil, 1], [1], [9, 9, "z"], [5, 5]], .notNumbers, 3, "/geometry/coordinates/1"),
        (
            "MultiLineString", [[[0, 0], [1, 1]], [[0, 0], [181, 0], [9, 9]]], .outsideGlobe, 1,
            "/geometry/coordinates/1/1"
        ),
        ("Polygon", [[[0, 0], [9, 0], [9, 9], [0, 9]]], .openRing, 1, "/geometry/coordinates/0"),
        (
            "Polygon", [[[0, 0, 1], [9, 0, 1], [9, 9, 1], [0, 0, 2]]], .unequalAltitudes, 1, "/geometry/coordinates/0"
        ),
        ("LineString", [[0, 0]], .tooFewPositions, 1, "/geometry/coordinates"),
        ("LineString", [[5, 5], [5, 5]], .tooFewDistinctPositions, 1, "/geometry/coordinates"),
        ("Polygon", [[[0, 0], [9, 9], [0, 0], [0, 0]]], .tooFewDistinctPositions, 1, "/geometry/coordinates/0"),
    ]

    @Test func `geometry reader: a defect has a kind, a count and a path`() {
        for (type, coordinates, kind, count, pointer) in Self.defects {
            let defects = Self.read(type, coordinates).1
            #expect(defects.map(\.kind) == [kind], "\(type) \(coordinates)")
            #expect(defects.first?.count == count && defects.first?.pointer == pointer, "\(type) \(coordinates)")
        }
    }

    @Test func `geometry reader: only unreadable coordinates give no geometry`() {
        let unreadable: [GeoJSONDefect.Kind] = [.unknownType, .malformedCoordinates, .notNumbers]
        for (type, coordinates, kind, _, _) in Self.defects {
            #expect((Self.read(type, coordinates).0 == nil) == unreadable.contains(kind), "\(type) \(coordinates)")
        }
    }
}
