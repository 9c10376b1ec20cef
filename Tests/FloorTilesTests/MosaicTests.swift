import FloorTiles
import Foundation
import IMDF
import SampleVenue
import Testing

/// Tiles show parts of one drawing.
@Suite struct MosaicTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a mosaic of tiles equals one drawing, pixel for pixel`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 40, seed: seed))
        let levels = venue.preparedLevels()
        let level = levels[Int(seed) % levels.count]
        for zoom in TileAddress.zooms {
            let scale = Bool.random(using: &random) ? 1 : 2
            let side = 256 * scale
            // Every zoom has every size with two of the seeds.
            let count = [2, 3, 5][(Int(seed) + zoom) % 3]
            let variant = TileVariant(
                format: .png, language: Bool.random(using: &random) ? "en" : nil,
                theme: Bool.random(using: &random) ? .dark : .light, scale: scale)
            let middle = try level.middleTile(zoom: zoom)
            let corner = (x: middle.x - count / 2, y: middle.y - count / 2)
            let whole = renderer.pixels(
                [level], zoom: zoom, left: corner.x * side, top: corner.y * side, width: count * side,
                height: count * side, variant)
            #expect(zoom < 17 || whole.contains { $0 != 0 })
            for (row, column) in (0..<count).flatMap({ row in (0..<count).map { (row, $0) } }) {
                let tile = renderer.pixels(
                    [level], zoom: zoom, left: (corner.x + column) * side, top: (corner.y + row) * side, width: side,
                    height: side, variant)
                // By memory, because loops over pixels take minutes without optimization.
                let different = (0..<side).filter { y in
                    let start = (row * side + y) * count * side + column * side
                    return tile.withUnsafeBytes { tile in
                        whole.withUnsafeBytes { whole in
                            !tile[y * side * 4..<(y + 1) * side * 4].elementsEqualInMemory(
                                whole[start * 4..<(start + side) * 4])
                        }
                    }
                }
                #expect(different.isEmpty, "zoom \(zoom), scale \(scale), row \(row), column \(column)")
            }
        }
    }

    @Test func `tiles of 256 and 512 pixels cover the same ground`() throws {
        let level = try #require(SampleVenue(.init(levels: 1, unitsPerLevel: 40)).preparedLevels().first)
        let tile = try level.middleTile(zoom: 19)
        let small = renderer.pixels(
            [level], zoom: 19, left: tile.x * 256, top: tile.y * 256, width: 256, height: 256, .init(format: .png))
        let large = renderer.pixels(
            [level], zoom: 19, left: tile.x * 512, top: tile.y * 512, width: 512, height: 512,
            .init(format: .png, scale: 2))
        // A pixel is clear in one if the four pixels are in the other, except along the outline. Shadows are mostly clear.
        var different = 0
        for y in 0..<256 {
            for x in 0..<256 {
                let isClear = [0, 1, 512, 513].allSatisfy { large[1_024 * y + 2 * x + $0] >> 31 == 0 }
                if isClear != (small[256 * y + x] >> 31 == 0) { different += 1 }
            }
        }
        #expect(different < 600)
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func elementsEqualInMemory(_ other: Self) -> Bool {
        let (one, two) = (UnsafeRawBufferPointer(rebasing: self), UnsafeRawBufferPointer(rebasing: other))
        guard one.count == two.count, let start = one.baseAddress, let otherStart = two.baseAddress else {
            return false
        }
        return memcmp(start, otherStart, one.count) == 0
    }
}
