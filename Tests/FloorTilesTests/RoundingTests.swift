import CGEOS
import FloorTiles
import Foundation
import IMDF
import Testing

/// Polygons of vector tiles that rounding makes invalid.
@Suite struct RoundingTests {
    private typealias Rectangle = HandmadeLevel.Rectangle

    @Test(arguments: 14...22) func `parts that meet when they are rounded, touch or overlap become one`(zoom: Int)
        throws
    {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        // With gaps of 2, 10 and 30 cm and of 2 m, with a border in common, and one over the other.
        for (index, gap) in [0.02, 0.1, 0.3, 2, 0, -3].enumerated() {
            let west = 4 + 30 * Double(index)
            level.add(
                2 + UInt64(index), .unit,
                parts: [
                    Rectangle(west, 4, west + 8, 20), Rectangle(west + 8 + gap, 6, west + 16 + gap, 24),
                    Rectangle(west, 30, west + 3, 33), Rectangle(west, 33 + gap, west + 3, 36),
                ])
        }
        let prepared = level.prepared
        let (first, last) = (HandmadeLevel.world((-1, 61)), HandmadeLevel.world((201, -1)))
        let count = Double(1 << zoom)
        var seen = 0
        for y in Int(first.y * count)...Int(last.y * count) {
            for x in Int(first.x * count)...Int(last.x * count) {
                let address = try #require(TileAddress(zoom: zoom, x: x, y: y))
                let bytes = renderer.tile(of: [prepared], at: address, TileVariant(format: .mvt))
                for polygons in VectorTileReader.polygons(in: bytes) {
                    #expect(Self.isValid(polygons), "\(x) \(y)")
                    seen += 1
                }
            }
        }
        #expect(seen >= 7)
    }

    /// Its points meet near the middle when they are rounded, so it is valid only before. The time to repair it grows with the square of
    /// their number, so one with many points is left out. The limit ends a run in which it is repaired.
    @Test(.timeLimit(.minutes(30)), arguments: [1_000, 200_000])
    func `a vector tile of a star is made if it has few points`(count: Int) throws {
        let star = (0..<count).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            let radius = index % 2 == 0 ? 4.0 : 0.01
            return (4 + radius * cos(angle), 4 + radius * sin(angle))
        }
        let tile = try #require(TileAddress(zoom: 18, x: 232_798, y: 103_298))
        let level = HostileLevelTests.level(HostileLevelTests.near(star))
        let bytes = renderer.tile(of: [level], at: tile, .init(format: .mvt))
        // The level, and the star if it is there.
        #expect(VectorTileReader.polygons(in: bytes).count == (count == 1_000 ? 2 : 1))
    }

    @Test func `a vector tile beside a ring that goes around the world many times is made`() throws {
        let square = [(-170.0, -80.0), (170.0, -80.0), (170.0, 80.0), (-170.0, 80.0)]
        let ring = (0..<40_004).map { square[$0 % 4] }
        let positions = (ring + ring.prefix(1)).map { JSONValue.array([.number($0.0), .number($0.1)]) }
        let level = HostileLevelTests.level(["type": "Polygon", "coordinates": [.array(positions)]])
        let tile = try #require(TileAddress(zoom: 22, x: 3_724_777, y: 1_652_785))
        // The tile is inside of the square, and the ring of it is not simple.
        #expect(VectorTileReader.polygons(in: renderer.tile(of: [level], at: tile, .init(format: .mvt))).count <= 2)
    }

    private static func isValid(_ polygons: [[[(Int, Int)]]]) -> Bool {
        let text = polygons.map { rings in
            let rings = rings.map { ring in
                "(" + (ring + ring.prefix(1)).map { "\($0.0) \($0.1)" }.joined(separator: ",") + ")"
            }
            return "(" + rings.joined(separator: ",") + ")"
        }
        let geos: OpaquePointer = GEOS_init_r()
        defer { GEOS_finish_r(geos) }
        let reader = GEOSWKTReader_create_r(geos)
        defer { GEOSWKTReader_destroy_r(geos, reader) }
        guard let geometry = GEOSWKTReader_read_r(geos, reader, "MULTIPOLYGON(\(text.joined(separator: ",")))") else {
            return false
        }
        defer { GEOSGeom_destroy_r(geos, geometry) }
        return GEOSisValid_r(geos, geometry) == 1
    }
}

/// Reads the polygons of vector tiles.
private enum VectorTileReader {
    /// For each feature its polygons, each an outer ring and its holes.
    static func polygons(in tile: [UInt8]) -> [[[[(Int, Int)]]]] {
        Self.fields(tile).filter { $0.number == 3 }.flatMap { layer in
            Self.fields(layer.bytes).filter { $0.number == 2 }.compactMap { feature -> [[[(Int, Int)]]]? in
                let fields = Self.fields(feature.bytes)
                guard fields.contains(where: { $0.number == 3 && $0.value == 3 }) else { return nil }
                return fields.first { $0.number == 4 }.map { Self.polygons(of: $0.bytes) }
            }
        }
    }

    private static func polygons(of commands: ArraySlice<UInt8>) -> [[[(Int, Int)]]] {
        var bytes = commands
        var polygons: [[[(Int, Int)]]] = []
        var ring: [(Int, Int)] = []
        var (x, y) = (0, 0)
        while !bytes.isEmpty {
            let command = Self.number(&bytes)
            if command & 7 == 7 {
                var area = 0
                for (one, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                    area += one.0 * next.1 - next.0 * one.1
                }
                if area > 0 { polygons.append([ring]) } else { polygons[polygons.count - 1].append(ring) }
                ring = []
            } else {
                for _ in 0..<command >> 3 {
                    let (dx, dy) = (Self.number(&bytes), Self.number(&bytes))
                    x += Int(dx >> 1) ^ -Int(dx & 1)
                    y += Int(dy >> 1) ^ -Int(dy & 1)
                    ring.append((x, y))
                }
            }
        }
        return polygons
    }

    private static func fields(
        _ message: some Collection<UInt8>
    ) -> [(number: UInt64, value: UInt64, bytes: ArraySlice<UInt8>)] {
        var bytes = Array(message)[...]
        var fields: [(UInt64, UInt64, ArraySlice<UInt8>)] = []
        while !bytes.isEmpty {
            let key = Self.number(&bytes)
            switch key & 7 {
            case 0: fields.append((key >> 3, Self.number(&bytes), []))
            case 1: bytes = bytes.dropFirst(8)
            case 2:
                let count = Int(Self.number(&bytes))
                fields.append((key >> 3, 0, bytes.prefix(count)))
                bytes = bytes.dropFirst(count)
            default: bytes = bytes.dropFirst(4)
            }
        }
        return fields
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = bytes.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return value
    }
}
