import FloorTiles
import IMDF
import SampleVenue
import Testing

/// PNG tiles.
@Suite struct TileImageTests {
    private static let level = SampleVenue(.init(levels: 1, unitsPerLevel: 40)).preparedLevels()[0]

    @Test func `equal levels give equal bytes, and themes and languages other ones`() throws {
        let again = SampleVenue(.init(levels: 1, unitsPerLevel: 40)).preparedLevels()[0]
        // A tile with texts.
        let tile = try #require(
            Self.level.tiles(zoom: 18).first { tile in
                renderer.tile(of: [Self.level], at: tile, .init(format: .png))
                    != renderer.tile(of: [Self.level], at: tile, .init(format: .png, language: "en"))
            })
        let variants = [
            TileVariant(format: .png), TileVariant(format: .png, language: "en"),
            TileVariant(format: .png, theme: .dark),
            TileVariant(format: .png, scale: 2), TileVariant(format: .mvt), TileVariant(format: .mvt, language: "en"),
        ]
        var seen: Set<[UInt8]> = []
        for variant in variants {
            let bytes = renderer.tile(of: [Self.level], at: tile, variant)
            #expect(bytes == renderer.tile(of: [again], at: tile, variant))
            #expect(
                renderer.contentDigest(of: [Self.level], at: tile, variant)
                    == renderer.contentDigest(of: [again], at: tile, variant))
            seen.insert(bytes)
        }
        #expect(seen.count == variants.count)
    }

    @Test func `a language that no name has is the language of the venue`() throws {
        let tile = try Self.level.middleTile(zoom: 19)
        let png = { renderer.tile(of: [Self.level], at: tile, .init(format: .png, language: $0)) }
        #expect(png("fr-CA") == png(nil))
        #expect(png("EN-us") == png("en"))
    }

    @Test func `a tile without content is transparent`() throws {
        let corner = try #require(TileAddress(zoom: 14, x: 0, y: 0))
        for format in TileFormat.allCases {
            #expect(renderer.contentDigest(of: [Self.level], at: corner, .init(format: format)) == nil)
        }
        #expect(renderer.tile(of: [Self.level], at: corner, .init(format: .mvt)).isEmpty)
        let png = renderer.tile(of: [Self.level], at: corner, .init(format: .png))
        #expect(png == renderer.tile(of: [], at: corner, .init(format: .png)))
        #expect(png.count < 400)
    }

    @Test func `coordinates beyond the pyramid are no address`() {
        for (zoom, x, y) in [(13, 0, 0), (23, 0, 0), (14, -1, 0), (14, 0, -1), (14, 16_384, 0), (14, 0, 16_384)] {
            #expect(TileAddress(zoom: zoom, x: x, y: y) == nil)
        }
        #expect(TileAddress(zoom: 14, x: 16_383, y: 16_383) != nil)
    }
}
