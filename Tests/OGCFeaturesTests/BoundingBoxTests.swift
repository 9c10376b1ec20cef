import Foundation
import IMDF
import OGCFeatures
import SampleVenue
import Testing

/// Queries by a box, against an independent test of every feature.
@Suite struct BoundingBoxTests {
    /// Random features around the antimeridian or elsewhere, on three levels.
    private struct Model {
        var geometries: [FeatureID: JSONValue] = [:]
        let tables: RevisionTables

        init(using random: inout SplitMix64) throws {
            var tables: [FeatureTable] = []
            for level in 0..<3 as Range<UInt64> {
                var rows: [FeatureRow] = []
                for number in 0..<40 as Range<UInt64> {
                    let id = FeatureID(high: level, low: number)
                    let geometry = Self.geometry(using: &random)
                    self.geometries[id] = geometry
                    let body: JSONValue = ["geometry": geometry, "properties": [:]]
                    rows.append(try FeatureRow(id: id, type: .unit, body: CanonicalJSON.data(body)))
                }
                tables.append(FeatureTable(level: FeatureID(high: 9, low: level), rows))
            }
            self.tables = RevisionTables(tables)
        }

        private static func geometry(using random: inout SplitMix64) -> JSONValue {
            // On both sides of the antimeridian. By RFC 7946 §3.1.9 no geometry crosses it.
            let distance = Double.random(in: 4...10, using: &random)
            let x = Bool.random(using: &random) ? 180 - distance : distance - 180
            let center = (x, Double.random(in: -10...10, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .null
            case 1: return ["type": "Point", "coordinates": self.position(center)]
            case 2:
                let line = (0..<4).map { _ in self.near(center, using: &random) }
                return ["type": "LineString", "coordinates": .array(line)]
            case 3:
                let rings = [self.ring(center, 3), self.ring(center, 1)]
                return ["type": "Polygon", "coordinates": .array(rings)]
            case 4:
                let other = (center.0, center.1 + 7)
                let parts = [center, other].map { JSONValue.array([self.ring($0, 2)]) }
                return ["type": "MultiPolygon", "coordinates": .array(parts)]
            default:
                // A concave polygon.
                let corners = [(0.0, 0.0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4), (0, 0)]
                let ring = corners.map { self.position((center.0 + $0.0, center.1 + $0.1)) }
                return ["type": "Polygon", "coordinates": [.array(ring)]]
            }
        }

        private static func position(_ point: (Double, Double)) -> JSONValue {
            [.number(point.0), .number(point.1)]
        }

        private static func near(_ center: (Double, Double), using random: inout SplitMix64) -> JSONValue {
            self.position(
                (
                    center.0 + .random(in: -3...3, using: &random), center.1 + .random(in: -3...3, using: &random)
                ))
        }

        private static func ring(_ center: (Double, Double), _ size: Double) -> JSONValue {
            let corners = [(-size, 0.0), (0, -size), (size, 0), (0, size), (-size, 0)]
            return .array(corners.map { self.position((center.0 + $0.0, center.1 + $0.1)) })
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `bbox selects the features that an exact comparison finds, also across the antimeridian`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let model = try Model(using: &random)
        let collection = try #require(model.tables.collection(of: .unit))
        var found = 0
        for _ in 0..<40 {
            let west = Double.random(in: -180...180, using: &random)
            let isCrossing = Bool.random(using: &random)
            let east =
                isCrossing ? -180 + .random(in: 0...10, using: &random) : west + .random(in: 0...8, using: &random)
            let from = isCrossing ? 180 - .random(in: 0...10, using: &random) : west
            let south = Double.random(in: -12...12, using: &random)
            let north = south + .random(in: 0...6, using: &random)
            let query = try ItemsQuery { $0 == "bbox" ? "\(from),\(south),\(east),\(north)" : nil }
            let page = model.tables.page(
                of: collection, where: ItemsFilter(boxes: query.boxes), offset: 0, limit: 1_000, bytes: .max)
            let boxes = from > east ? [(from, 200.0), (-200.0, east)] : [(from, east)]
            let expected = model.geometries.filter { _, geometry in
                geometry.isNull
                    || boxes.contains {
                        ClippedGeometry(geometry, west: $0.0, south: south, east: $0.1, north: north).isPresent
                    }
            }
            #expect(Set(page.items.map(\.id)) == Set(expected.keys), "\(from),\(south),\(east),\(north)")
            #expect(page.matched == expected.count)
            found += page.matched
        }
        #expect(found > 50)
    }

    @Test func `bbox selects the features without a geometry, as the standard demands, wherever the others are`() throws
    {
        let far: JSONValue = ["type": "Point", "coordinates": [10, 10]]
        let places: [(UInt64, JSONValue)] = [(1, .null), (2, far), (3, .null)]
        let rows = try places.map { number, geometry in
            let body: JSONValue = ["geometry": geometry, "properties": ["category": number == 3 ? "gym" : "shoes"]]
            return try FeatureRow(id: FeatureID(high: 1, low: number), type: .occupant, body: CanonicalJSON.data(body))
        }
        let tables = RevisionTables([FeatureTable(level: nil, rows)])
        let collection = try #require(tables.collection(of: .occupant))
        func found(_ filter: ItemsFilter) -> [UInt64] {
            tables.page(of: collection, where: filter, offset: 0, limit: 10, bytes: .max).items.map(\.id.low)
        }
        let elsewhere = GeographicBox(west: 139, south: 35, east: 140, north: 36)
        #expect(found(ItemsFilter(boxes: [elsewhere])) == [1, 3])
        #expect(found(ItemsFilter(boxes: [elsewhere], category: "gym")) == [3])
        #expect(found(ItemsFilter(boxes: [GeographicBox(west: 9, south: 9, east: 11, north: 11)])) == [1, 2, 3])
    }

    @Test func `making a table asks before each row whether to stop`() throws {
        let rows = try (0..<100 as Range<UInt64>).map { number in
            try FeatureRow(id: FeatureID(high: 1, low: number), type: .occupant, body: Array("{}".utf8))
        }
        for stop in [0, 50, 150, 1_000] {
            var calls = 0
            _ = FeatureTable(level: nil, rows) {
                calls += 1
                return calls > stop
            }
            #expect(calls > min(stop, 100))
        }
    }

    /// Longitudes of points, and the extent of the collection from west to east.
    @Test(
        arguments: [
            ([179.9, -179.9], 179.9, -179.9), ([-179.9, 179.9], 179.9, -179.9),
            ([179.99, 180, -180, -179.99], 179.99, -179.99),
            ([-179.9, -179.8], -179.9, -179.8), ([179.8, 180], 179.8, 180), ([-180, -179.9], -180, -179.9),
            ([139.7, 139.8], 139.7, 139.8), ([-0.1, 0.1], -0.1, 0.1), ([-90, 90], -90, 90), ([-180, 180], -180, 180),
            ([-170, 0, 170], -170, 170), ([170, -170, 175], 170, -170),
        ] as [([Double], Double, Double)])
    func `the extent of a collection on both sides of the antimeridian is that of a building, from west to east`(
        longitudes: [Double], west: Double, east: Double
    ) throws {
        // Some of them on another level.
        let tables = RevisionTables(
            try [0, 1].map { level in
                let own = longitudes.enumerated().filter { $0.offset % 2 == level }
                return FeatureTable(
                    level: FeatureID(high: 9, low: UInt64(level)),
                    try own.map { number, longitude in
                        let body: JSONValue = [
                            "geometry": [
                                "type": "Point", "coordinates": [.number(longitude), .number(Double(number))],
                            ],
                            "properties": [:],
                        ]
                        return try FeatureRow(
                            id: FeatureID(high: 1, low: UInt64(number)), type: .unit, body: CanonicalJSON.data(body))
                    })
            })
        let extent = try #require(tables.collection(of: .unit)?.extent)
        #expect(abs(extent[0] - west) < 1e-9 && abs(extent[2] - east) < 1e-9, "\(extent)")
        #expect(extent[1] == 0 && extent[3] == Double(longitudes.count - 1))
        #expect(tables.collection(of: .level)?.extent == nil)
    }

    @Test func `a query by a box takes less than 20 ms in a venue with 115,000 features`() throws {
        var random = SplitMix64(seed: 1)
        let rows = try (0..<575 as Range<UInt64>).map { number in
            let x = Double.random(in: 139...139.1, using: &random)
            let y = Double.random(in: 35...35.1, using: &random)
            let corners = [(0.0, 0.0), (1e-4, 0.0), (1e-4, 1e-4), (0.0, 1e-4), (0.0, 0.0)]
            let ring = corners.map { JSONValue.array([.number(x + $0.0), .number(y + $0.1)]) }
            let body: JSONValue = [
                "geometry": ["type": "Polygon", "coordinates": [.array(ring)]], "properties": ["category": "room"],
            ]
            return try FeatureRow(id: FeatureID(high: 1, low: number), type: .unit, body: CanonicalJSON.data(body))
        }
        let tables = RevisionTables(
            (0..<200 as Range<UInt64>).map { FeatureTable(level: FeatureID(high: 9, low: $0), rows) })
        let collection = try #require(tables.collection(of: .unit))
        #expect(collection.count == 115_000)
        let box = GeographicBox(west: 139.02, south: 35.02, east: 139.06, north: 35.06)
        var (matched, fastest) = (0, Duration.seconds(60))
        // The fastest of several, in processor time, because other processes may use the machine.
        for _ in 0..<20 {
            let start = Self.processorTime()
            let page = tables.page(
                of: collection, where: ItemsFilter(boxes: [box]), offset: 100, limit: 100, bytes: 8 << 20)
            fastest = min(fastest, Self.processorTime() - start)
            matched = page.matched
        }
        #expect(matched > 10_000 && fastest < .milliseconds(20), "\(fastest)")
    }

    /// How long this thread has used a processor.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `pages are the whole selection in order, in parts`() throws {
        var random = SplitMix64(seed: 1)
        let tables = try Model(using: &random).tables
        let collection = try #require(tables.collection(of: .unit))
        #expect(collection.count == 120)
        let filter = ItemsFilter(boxes: [GeographicBox(west: 170, south: -90, east: 180, north: 90)])
        let all = tables.page(of: collection, where: filter, offset: 0, limit: 1_000, bytes: .max)
        #expect(all.items.count == all.matched && all.next == nil && all.matched > 20)
        for (limit, bytes) in [(7, Int.max), (1_000, 1), (1_000, 2_000)] {
            var (ids, offset): ([FeatureID], Int?) = ([], 0)
            while let next = offset {
                let page = tables.page(of: collection, where: filter, offset: next, limit: limit, bytes: bytes)
                #expect(page.matched == all.matched && !page.items.isEmpty)
                ids += page.items.map(\.id)
                offset = page.next
            }
            #expect(ids == all.items.map(\.id))
        }
        #expect(tables.page(of: collection, where: filter, offset: 5_000, limit: 5, bytes: .max).items.isEmpty)
    }
}

/// A geometry clipped by a box: by Sutherland and Hodgman for polygons, and by crossings with the sides for lines.
private struct ClippedGeometry {
    private(set) var isPresent = false
    private typealias Point = (x: Double, y: Double)

    init(_ geometry: JSONValue, west: Double, south: Double, east: Double, north: Double) {
        guard let type = geometry["type"]?.string, let coordinates = geometry["coordinates"] else { return }
        func point(_ value: JSONValue) -> Point { (value.array?[0].number ?? .nan, value.array?[1].number ?? .nan) }
        func isInside(_ point: Point) -> Bool {
            point.x >= west && point.x <= east && point.y >= south && point.y <= north
        }
        func area(_ ring: JSONValue) -> Double {
            var points = (ring.array ?? []).dropLast().map(point)
            let sides: [(Point) -> Double] = [{ $0.x - west }, { east - $0.x }, { $0.y - south }, { north - $0.y }]
            for side in sides {
                var clipped: [Point] = []
                for (index, end) in points.enumerated() {
                    let start = points[(index + points.count - 1) % points.count]
                    let (first, last) = (side(start), side(end))
                    if (first < 0) != (last < 0) {
                        let part = first / (first - last)
                        clipped.append((start.x + part * (end.x - start.x), start.y + part * (end.y - start.y)))
                    }
                    if last >= 0 { clipped.append(end) }
                }
                points = clipped
            }
            return abs(
                points.indices.reduce(0) { sum, index in
                    let (one, other) = (points[index], points[(index + 1) % points.count])
                    return sum + one.x * other.y - other.x * one.y
                }) / 2
        }
        func hasArea(_ polygon: JSONValue) -> Bool {
            let rings = polygon.array ?? []
            return rings.indices.reduce(0) { $0 + ($1 == 0 ? 1 : -1) * area(rings[$1]) } > 1e-12
        }
        switch type {
        case "Point": self.isPresent = isInside(point(coordinates))
        case "LineString":
            let points = (coordinates.array ?? []).map(point)
            let corners = [(west, south), (east, south), (east, north), (west, north)]
            func side(_ a: Point, _ b: Point, _ c: Point) -> Bool {
                (b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x)
            }
            self.isPresent =
                points.contains(where: isInside)
                || zip(points, points.dropFirst()).contains { start, end in
                    corners.indices.contains { index in
                        let (one, other) = (corners[index], corners[(index + 1) % 4])
                        return side(start, end, one) != side(start, end, other)
                            && side(one, other, start) != side(one, other, end)
                    }
                }
        case "Polygon": self.isPresent = hasArea(coordinates)
        default: self.isPresent = (coordinates.array ?? []).contains(where: hasArea)
        }
    }
}
