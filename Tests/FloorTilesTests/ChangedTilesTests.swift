import FloorTiles
import Foundation
import IMDF
import SampleVenue
import Testing

/// The tiles that differ between two states of a level, against a comparison of the whole pyramids.
@Suite struct ChangedTilesTests {
    private static let edits: [Edit.Kind] = [.rename, .move, .add, .remove]

    static func differing(
        _ old: PreparedLevel, _ new: PreparedLevel, _ variant: TileVariant, zooms: ClosedRange<Int>
    ) -> Set<TileAddress> {
        let boxes = [old.box, new.box].compactMap(\.self)
        let scales = variant.format == .png ? [1, 2] : [1]
        var differing: Set<TileAddress> = []
        for zoom in zooms {
            let margin = 0.1 / Double(1 << zoom)
            let tiles = boxes.flatMap { TileAddress.tiles(of: $0.insetBy(-margin), zoom: zoom, limit: 100_000) ?? [] }
            for tile in Set(tiles) {
                let isEqual = scales.allSatisfy { scale in
                    var variant = variant
                    variant.scale = scale
                    return renderer.tile(of: [old], at: tile, variant) == renderer.tile(of: [new], at: tile, variant)
                }
                if !isEqual { differing.insert(tile) }
            }
        }
        return differing
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
            guard case .some(let tiles) = try renderer.changedTiles(from: old, to: new, variant) else {
                Issue.record("all tiles are said to differ")
                continue
            }
            let expected = Self.differing(old, new, variant, zooms: zooms)
            #expect(Set(tiles.filter { zooms.contains($0.zoom) }) == expected, "\(kind)")
        }
    }

    @Test func `equal levels have no changed tiles, and the boxes of features are not enough`() throws {
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 12))
        let level = venue.preparedLevels()[0]
        for format in TileFormat.allCases {
            let changed = try renderer.changedTiles(
                from: level, to: venue.preparedLevels()[0], .init(format: format))
            #expect(changed == .some([]))
        }
        // The name of the level is on no image, but in its vector tiles.
        var renamed = venue
        let index = try #require(renamed.features.firstIndex { $0.id == level.id })
        renamed.features[index]["name"] = ["en": "Another name"]
        let other = try #require(renamed.preparedLevels().first { $0.id == level.id })
        #expect(try renderer.changedTiles(from: level, to: other, .init(format: .png)) == .some([]))
        #expect(try renderer.changedTiles(from: level, to: other, .init(format: .mvt)) != .some([]))
    }
}

/// The list of changed tiles after random edits, against a comparison of whole pyramids.
@Suite struct RandomEditTests {
    /// With `TILE_EDITS=1000`, a thousand edits are compared; from `TILE_FIRST_EDIT` on.
    private static let count = UInt64(ProcessInfo.processInfo.environment["TILE_EDITS"] ?? "") ?? 12
    private static let first = UInt64(ProcessInfo.processInfo.environment["TILE_FIRST_EDIT"] ?? "") ?? 0
    private static let zooms = 14...18

    /// The tiles that the boxes of changed features touch: what a service without a renderer could say.
    private static func tilesOfBoxes(_ old: SampleVenue, _ new: SampleVenue, _ level: PreparedLevel) -> Set<TileAddress>
    {
        let (before, after) = (
            Dictionary(old.features.map { ($0.id, $0) }) { $1 }, Dictionary(new.features.map { ($0.id, $0) }) { $1 }
        )
        let changed = Set(before.keys).union(after.keys).filter { before[$0]?.body != after[$0]?.body }
        let boxes = level.boxes(of: changed)
        return Set(
            boxes.flatMap { box in Self.zooms.flatMap { TileAddress.tiles(of: box, zoom: $0, limit: 100_000) ?? [] } })
    }

    /// Real archives, if `VENUE_SAMPLES` names a folder with some.
    private static let archives: [SampleVenue] = {
        guard let folder = ProcessInfo.processInfo.environment["VENUE_SAMPLES"] else { return [] }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".zip") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").flatMap {
                try? SampleVenue(reading: Array($0))
            }
        }
    }()

    /// Every second venue is a real archive, if there are any.
    private static func venue(_ number: UInt64) -> SampleVenue {
        guard number % 2 == 1, !Self.archives.isEmpty else {
            return SampleVenue(.init(levels: 1, unitsPerLevel: 4 + Int(number % 3) * 6, seed: number % 7))
        }
        return Self.archives[Int(number / 2) % Self.archives.count]
    }

    /// Compares one edit. Levels without any change are left out.
    ///
    /// - Returns: whether the boxes of the changed features touch other tiles than those that differ.
    private static func compare(_ number: UInt64) throws -> Bool {
        var random = SplitMix64(seed: 1_000 + number)
        let venue = Self.venue(number)
        let kinds: [Edit.Kind] = [.rename, .move, .add, .remove, .recategorise]
        var edited = venue
        let edit = Edit(kinds[Int.random(in: 0..<kinds.count, using: &random)], 1)
        _ = edited.apply(edit, using: &random)
        let variant = TileVariant(format: TileFormat.allCases[Int(number / 2 % 2)])
        var differsFromBoxes = false
        for (before, after) in zip(venue.levelContents(), edited.levelContents())
        where before.features != after.features {
            let old = venue.preparedLevel(before.level, before.features)
            let new = edited.preparedLevel(after.level, after.features)
            guard case .some(let tiles) = try renderer.changedTiles(from: old, to: new, variant) else {
                Issue.record("\(edit), \(number): all tiles are said to differ")
                continue
            }
            let listed = Set(tiles.filter { Self.zooms.contains($0.zoom) })
            #expect(listed == ChangedTilesTests.differing(old, new, variant, zooms: Self.zooms), "\(edit), \(number)")
            let boxes = Self.tilesOfBoxes(venue, edited, old).union(Self.tilesOfBoxes(venue, edited, new))
            if boxes != listed { differsFromBoxes = true }
        }
        return differsFromBoxes
    }

    @Test func `changed tiles equal a comparison of all tiles, and boxes of changed features do not`() throws {
        var differingFromBoxes = 0
        for number in Self.first..<Self.first + Self.count {
            if try Self.compare(number) { differingFromBoxes += 1 }
        }
        #expect(differingFromBoxes > 0)
    }
}
