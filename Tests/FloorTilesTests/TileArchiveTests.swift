import FloorTiles
import IMDF
import SampleVenue
import Testing

/// Files with all tiles of a floor.
@Suite struct TileArchiveTests {
    @Test func `ids follow the Hilbert curve`() throws {
        // By the reference implementation (PyPI pmtiles 3.8.1).
        let known: [(Int, Int, Int, UInt64)] = [
            (14, 0, 0, 89_478_485), (14, 14_549, 6_454, 293_554_652), (18, 232_795, 103_276, 75_149_991_156),
            (22, 4_194_303, 4_194_303, 17_592_186_044_415),
        ]
        for (zoom, x, y, id) in known {
            #expect(try #require(TileAddress(zoom: zoom, x: x, y: y)).hilbertID == id, "\(zoom)/\(x)/\(y)")
        }
        // Neighbours on the curve are neighbours on the map.
        let ids = (0..<64).flatMap { y in (0..<64).map { x in (x, y) } }.compactMap { x, y in
            TileAddress(zoom: 14, x: x, y: y).map { ($0.hilbertID, x, y) }
        }.sorted { $0.0 < $1.0 }
        for (one, next) in zip(ids, ids.dropFirst()) {
            #expect(next.0 == one.0 + 1 && abs(next.1 - one.1) + abs(next.2 - one.2) == 1)
        }
    }

    @Test func `an archive is the same for equal levels, and ends when it is cancelled`() throws {
        let levels = [SampleVenue(.init(levels: 1, unitsPerLevel: 8)).preparedLevels()[0]]
        let variant = TileVariant(format: .mvt)
        let archive = try TileArchive.bytes(of: levels, variant, name: "mall", by: renderer)
        #expect(archive.starts(with: Array("PMTiles".utf8) + [3]))
        #expect(archive == (try TileArchive.bytes(of: levels, variant, name: "mall", by: renderer)))
        func number(_ offset: Int) -> Int { (0..<8).reduce(0) { $0 | Int(archive[offset + $1]) << (8 * $1) } }
        #expect(number(56) + number(64) == archive.count)
        #expect(number(72) > number(88) && number(72) <= TileArchive.maximumTiles)
        // Zooms for which there is no room are left out.
        func zooms(limit: Int) throws -> (first: UInt8, last: UInt8, count: Int) {
            let bytes = try TileArchive.bytes(of: levels, variant, name: "mall", by: renderer, limit: limit)
            return (bytes[100], bytes[101], bytes.count)
        }
        let whole = try zooms(limit: archive.count)
        #expect(whole.first == 14 && whole.last == archive[101] && whole.count == archive.count)
        let part = try zooms(limit: number(64) / 2)
        #expect(part.first == 14 && (14..<whole.last).contains(part.last) && part.count < archive.count)
        #expect(try zooms(limit: 0).last == 14)
        #expect(throws: CancellationError.self) {
            try TileArchive.bytes(of: levels, variant, name: "mall", by: renderer) { true }
        }
    }
}
