import FloorTiles
import Foundation
import IMDF
import SampleVenue
import Testing

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
            return SampleVenue(
                .init(levels: 1 + Int(number % 4 / 2), unitsPerLevel: 4 + Int(number % 3) * 6, seed: number % 7))
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
        let variant = TileVariant(
            format: TileFormat.allCases[Int(number / 2 % 2)], language: [nil, "en", "ja"][Int(number % 3)],
            theme: number % 5 < 2 ? .dark : .light)
        var differsFromBoxes = false
        for (before, after) in zip(venue.levelContents(), edited.levelContents())
        where before.features != after.features {
            let old = venue.preparedLevel(before.level, before.features)
            let new = edited.preparedLevel(after.level, after.features)
            let listed = try self.compare([old], [new], variant, "\(edit), \(number)", using: &random)
            let boxes = Self.tilesOfBoxes(venue, edited, old).union(Self.tilesOfBoxes(venue, edited, new))
            if boxes != listed { differsFromBoxes = true }
        }
        // As if all levels had the same ordinal, which takes long with real archives.
        if number % 4 == 2 || number % 40 == 1 {
            let levels = (venue.preparedLevels(), edited.preparedLevels())
            if levels.0.count > 1, levels.0.count == levels.1.count {
                _ = try self.compare(levels.0, levels.1, variant, "\(edit), \(number), together", using: &random)
            }
        }
        return differsFromBoxes
    }

    /// Compares all tiles of the lower zooms, and some of the higher ones.
    ///
    /// - Returns: The listed tiles of the lower zooms.
    private static func compare(
        _ old: [PreparedLevel], _ new: [PreparedLevel], _ variant: TileVariant, _ name: String,
        using random: inout SplitMix64
    ) throws -> Set<TileAddress> {
        guard case .some(let tiles) = try renderer.changedTiles(from: old, to: new, variant) else {
            Issue.record("\(name): all tiles are said to differ")
            return []
        }
        let all = Set(tiles)
        let listed = all.filter { Self.zooms.contains($0.zoom) }
        #expect(listed == ChangedTilesTests.differing(old, new, variant, zooms: Self.zooms), "\(name)")
        for zoom in Self.zooms.upperBound + 1...TileAddress.zooms.upperBound {
            let candidates = ChangedTilesTests.tiles(old + new, zoom: zoom)
            let ofZoom = tiles.filter { $0.zoom == zoom }
            // Tiles beside those that are listed are the most likely to be missing.
            let neighbours = ofZoom.shuffled(using: &random).prefix(3).flatMap { tile in
                [(1, 0), (-1, 0), (0, 1), (0, -1)].compactMap {
                    TileAddress(zoom: zoom, x: tile.x + $0.0, y: tile.y + $0.1)
                }
            }
            let sample =
                candidates.shuffled(using: &random).prefix(6) + ofZoom.shuffled(using: &random).prefix(6) + neighbours
            for tile in Set(sample) {
                let differs = ChangedTilesTests.differs(tile, old, new, variant)
                #expect(differs == all.contains(tile), "\(name), \(tile.path)")
            }
        }
        return listed
    }

    @Test func `changed tiles equal a comparison of all tiles, and boxes of changed features do not`() throws {
        var differingFromBoxes = 0
        for number in Self.first..<Self.first + Self.count {
            if try Self.compare(number) { differingFromBoxes += 1 }
        }
        #expect(differingFromBoxes > 0)
    }
}
