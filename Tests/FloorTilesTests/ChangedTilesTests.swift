import FloorTiles
import Foundation
import IMDF
import SampleVenue
import Testing

/// The tiles that differ between two states of a level, against a comparison of the whole pyramids.
@Suite struct ChangedTilesTests {
    private static let edits: [Edit.Kind] = [.rename, .move, .add, .remove]

    /// The tiles of some zooms that differ, by drawing all of them.
    static func differing(
        _ old: [PreparedLevel], _ new: [PreparedLevel], _ variant: TileVariant, zooms: ClosedRange<Int>
    ) -> Set<TileAddress> {
        var differing: Set<TileAddress> = []
        for zoom in zooms {
            for tile in self.tiles(old + new, zoom: zoom) where self.differs(tile, old, new, variant) {
                differing.insert(tile)
            }
        }
        return differing
    }

    /// The tiles of levels and a little around them, by row.
    static func tiles(_ levels: [PreparedLevel], zoom: Int) -> [TileAddress] {
        let margin = 0.1 / Double(1 << zoom)
        let tiles = levels.compactMap(\.box).flatMap {
            TileAddress.tiles(of: $0.insetBy(-margin), zoom: zoom, limit: 1_000_000) ?? []
        }
        return Set(tiles).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    }

    static func differs(
        _ tile: TileAddress, _ old: [PreparedLevel], _ new: [PreparedLevel], _ variant: TileVariant
    ) -> Bool {
        (variant.format == .png ? [1, 2] : [1]).contains { scale in
            var variant = variant
            variant.scale = scale
            return renderer.tile(of: old, at: tile, variant) != renderer.tile(of: new, at: tile, variant)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `changed image tiles equal a comparison of all tiles`(seed: UInt64) throws {
        try Self.compare(seed: seed, .init(format: .png), zooms: 14...19)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `changed vector tiles equal a comparison of all tiles`(seed: UInt64) throws {
        try Self.compare(seed: seed, .init(format: .mvt), zooms: TileAddress.zooms)
    }

    private static func compare(seed: UInt64, _ variant: TileVariant, zooms: ClosedRange<Int>) throws {
        var random = SplitMix64(seed: seed)
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 12, seed: seed))
        var edited = venue
        let kind = Self.edits[Int(seed) % Self.edits.count]
        _ = edited.apply(Edit(kind, 1 + Int(seed) / Self.edits.count), using: &random)
        for (old, new) in zip(venue.preparedLevels(), edited.preparedLevels()) {
            guard case .some(let tiles) = try renderer.changedTiles(from: [old], to: [new], variant) else {
                Issue.record("all tiles are said to differ")
                continue
            }
            let expected = Self.differing([old], [new], variant, zooms: zooms)
            #expect(Set(tiles.filter { zooms.contains($0.zoom) }) == expected, "\(kind)")
        }
    }

    @Test func `equal levels have no changed tiles, and the boxes of features are not enough`() throws {
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 12))
        let level = venue.preparedLevels()[0]
        for format in TileFormat.allCases {
            let changed = try renderer.changedTiles(
                from: [level], to: [venue.preparedLevels()[0]], .init(format: format))
            #expect(changed == .some([]))
        }
        // The name of the level is on no image, but in its vector tiles.
        var renamed = venue
        let index = try #require(renamed.features.firstIndex { $0.id == level.id })
        renamed.features[index]["name"] = ["en": "Another name"]
        let other = try #require(renamed.preparedLevels().first { $0.id == level.id })
        #expect(try renderer.changedTiles(from: [level], to: [other], .init(format: .png)) == .some([]))
        #expect(try renderer.changedTiles(from: [level], to: [other], .init(format: .mvt)) != .some([]))
    }
}
