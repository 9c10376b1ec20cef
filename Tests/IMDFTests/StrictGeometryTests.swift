import IMDF
import Testing

/// What a strict decoder can draw: geometry of the type's class, and a `website` that any parser takes.
@Suite struct StrictGeometryTests {
    /// Whether a feature of the type with the geometry is accepted, possibly with a repaired geometry.
    private static func isTaken(_ type: FeatureType, _ geometry: JSONValue?) -> Bool {
        StrictProfile.outcome(of: [(FeatureID(1), type, self.body(geometry))]).leftOut[.geometry] == nil
    }

    /// The geometry that a strict decoder receives.
    private static func strict(_ type: FeatureType, _ geometry: JSONValue?) -> JSONValue? {
        let body = self.body(geometry)
        return (StrictProfile.strictBody(of: type, body) ?? body)["geometry"]
    }

    private static func body(_ geometry: JSONValue?) -> JSONValue {
        var body: JSONObject = ["type": "Feature", "properties": [:]]
        body["geometry"] = geometry
        return .object(body)
    }

    private static let geometries: [String: JSONValue] = [
        "null": nil, "Point": StrictProfileTests.point, "LineString": StrictProfileTests.line,
        "Polygon": StrictProfileTests.square, "MultiPoint": ["type": "MultiPoint", "coordinates": [[0, 0]]],
        "MultiLineString": ["type": "MultiLineString", "coordinates": [[[0, 0], [1, 0]]]],
        "MultiPolygon": ["type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]],
        "GeometryCollection": ["type": "GeometryCollection", "geometries": [StrictProfileTests.point]],
    ]

    private static let everything: Set<String> = [
        "null", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
    ]

    private static let classes: [(FeatureType, Set<String>)] = [
        (.amenity, ["Point", "MultiPoint"]), (.anchor, ["Point", "MultiPoint"]),
        (.opening, ["LineString", "MultiLineString"]), (.detail, ["LineString", "MultiLineString"]),
        (.footprint, ["Polygon", "MultiPolygon"]), (.level, ["Polygon", "MultiPolygon"]),
        (.section, ["Polygon", "MultiPolygon"]), (.unit, ["Polygon", "MultiPolygon"]),
        (.kiosk, ["Polygon", "MultiPolygon"]), (.fixture, ["Polygon", "MultiPolygon"]),
        (.geofence, ["Polygon", "MultiPolygon"]), (.relationship, Self.everything),
        (FeatureType(rawValue: "navPath"), Self.everything),
    ]

    @Test(arguments: Self.classes)
    func `strict geometry: a type accepts the geometries of its class only`(type: FeatureType, kinds: Set<String>) {
        #expect(Set(Self.geometries.filter { Self.isTaken(type, $0.value) }.keys) == kinds)
        #expect(!Self.isTaken(type, nil as JSONValue?))
    }

    @Test(arguments: [FeatureType.address, .building, .occupant])
    func `strict geometry: the geometry of a type without one becomes null`(type: FeatureType) {
        for geometry in Self.geometries.values {
            #expect(Self.isTaken(type, geometry))
            #expect(Self.strict(type, geometry) == .some(.null))
        }
        #expect(Self.strict(type, nil as JSONValue?) == .some(.null))
    }

    @Test func `strict geometry: a venue is never left out, and null replaces a geometry of another class`() {
        for (kind, geometry) in Self.geometries {
            #expect(Self.isTaken(.venue, geometry))
            let isKept = ["Polygon", "MultiPolygon"].contains(kind)
            #expect(Self.strict(.venue, geometry) == (isKept ? StrictProfileTests.square : .null), "\(kind)")
        }
        #expect(Self.strict(.venue, nil as JSONValue?) == .some(.null))
        #expect(
            Self.strict(.venue, ["type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 91], [0, 0]]]]) == .some(.null)
        )
    }

    @Test(
        arguments: [
            (.unit, "MultiPolygon", "Polygon"), (.level, "MultiPolygon", "Polygon"),
            (.opening, "MultiLineString", "LineString"), (.detail, "MultiLineString", "LineString"),
            (.amenity, "MultiPoint", "Point"),
        ] as [(FeatureType, String, String)])
    func `strict geometry: a geometry of one part becomes that part, and others stay`(
        type: FeatureType, multi: String, single: String
    ) throws {
        let geometry = try #require(Self.geometries[multi])
        let part = try #require(geometry["coordinates"]?.array?.first)
        #expect(Self.strict(type, geometry) == .some(["type": .string(single), "coordinates": part]))
        let two: JSONValue = ["type": .string(multi), "coordinates": [part, part]]
        #expect(Self.strict(type, two) == .some(two))
        #expect(Self.strict(FeatureType(rawValue: "navPath"), geometry) == .some(geometry))
    }

    @Test(
        arguments: [
            [], [[]], [[[0, 0], [1, 0], [0, 0]]], [[[0, 0], [1, 0], [1, 1], [0, 1]]],
            [[[0, 0], [1, 0], [1, 91], [0, 0]]],
            [[[0, 0], [1, 0], [181, 1], [0, 0]]], [[[0, 0], [1, 0], [1], [0, 0]]],
            [[[0, 0], [1, 0], ["1", 1], [0, 0]]],
            [[[0, 0], [1, 0], nil, [0, 0]]], [[[0, 0], [1, 0], [1, 1, "2"], [0, 0]]], nil, [nil], "x",
            [[[0, 0], [1, 0], [1, 1], [0, 0]], []], [[0, 0], [1, 0], [1, 1], [0, 0]],
        ] as [JSONValue])
    func `strict geometry: rings are closed, have four positions and lie on the globe`(coordinates: JSONValue) {
        #expect(!Self.isTaken(.unit, ["type": "Polygon", "coordinates": coordinates]))
        #expect(!Self.isTaken(.unit, ["type": "MultiPolygon", "coordinates": [coordinates]]))
    }

    @Test func `strict geometry: a line has two positions and a point one`() {
        #expect(!Self.isTaken(.opening, ["type": "LineString", "coordinates": [[0, 0]]]))
        #expect(!Self.isTaken(.amenity, ["type": "Point", "coordinates": [[0, 0]]]))
        #expect(!Self.isTaken(.amenity, ["type": "Point", "coordinates": []]))
        #expect(!Self.isTaken(.amenity, ["type": "Point"]))
        #expect(!Self.isTaken(.amenity, ["coordinates": [0, 0]]))
        #expect(!Self.isTaken(.amenity, [0, 0]))
        #expect(Self.isTaken(.amenity, ["type": "Point", "coordinates": [-180, 90, 12]]))
    }

    @Test(arguments: [
        "http://example.com", "https://example.com/", "HTTPS://Example.com:8443/a/b%20c?d=e&f=(g)#h",
        "https://a-b_c.example",
        "https://192.0.2.1/", "https://[2001:db8::1]:80/x", "https://example.com?q", "https://xn--caf-dma.example/#",
    ])
    func `website: http and https URLs are accepted`(website: String) {
        #expect(Self.isWebsite(website))
    }

    @Test(arguments: [
        "", "example.com", "www.example.com", "ftp://example.com", "https:", "https://", "https:///path",
        "http:/example.com",
        "https://exa mple.com", "https://example.com/a b", " https://example.com", "https://example.com/%",
        "https://é.com",
        "https://example.com/%4", "https://example.com/%zz", "https://example.com:port", "https://example.com:123456",
        "https://me@example.com", "https://example.com/#a#b", "https://[::1", "https://[]/", "https://[::1]x",
        "https://example.com/<b>", "mailto:me@example.com", "https://example.com\n", "javascript:alert(1)",
        "https://example.com/[1]", "https://example.com/\"",
    ])
    func `website: other texts are refused`(website: String) {
        #expect(!Self.isWebsite(website))
    }

    private static func isWebsite(_ text: String) -> Bool {
        let body: JSONValue = ["type": "Feature", "geometry": nil, "properties": ["website": .string(text)]]
        return StrictProfile.outcome(of: [(FeatureID(1), .address, body)]).leftOut[.website] == nil
    }
}
