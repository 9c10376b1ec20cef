import FloorTiles
import IMDF
import SampleVenue
import Testing

/// Work on tiles asks often whether to stop, so that it can give way and end.
@Suite struct StoppedWorkTests {
    private let tile = TileAddress(zoom: 18, x: 232_798, y: 103_298)!

    /// A comb whose teeth cross those of the others.
    private static func comb(teeth: Int) -> JSONValue {
        HostileLevelTests.near(
            (0..<teeth).flatMap { tooth in
                let x = 8 * Double(tooth) / Double(teeth)
                return [(x, 0.0), (x + 0.001, 9.0)]
            } + [(8, -1), (-1, 8.5), (-1, 4)])
    }

    @Test func `cutting one polygon asks many times`() throws {
        let level = HostileLevelTests.level(Self.comb(teeth: 2_000))
        var calls = 0
        _ = try renderer.tile(of: [level], at: self.tile, .init(format: .mvt)) {
            calls += 1
            return false
        }
        #expect(calls > 100)
    }

    @Test func `preparing a level asks before each feature, and leaves out the rest when it is stopped`() throws {
        let sample = SampleVenue(.init(levels: 1, unitsPerLevel: 400))
        let content = try #require(sample.levelContents().first)
        let entries = content.features.map { (id: $0.id, type: $0.type, body: CanonicalJSON.data(.object($0.body))) }
        var calls = 0
        let level = PreparedLevel(level: content.level, features: entries, language: nil) {
            calls += 1
            return calls > 100
        }
        #expect(calls > entries.count && level.box == nil && level.candidates.isEmpty)
    }

    @Test func `placing labels asks before each`() throws {
        let level = try #require(SampleVenue(.init(levels: 1, unitsPerLevel: 400)).preparedLevels().first)
        let tile = try level.middleTile(zoom: 18)
        var calls = 0
        let digest = renderer.contentDigest(of: [level], at: tile, .init(format: .png)) {
            calls += 1
            return false
        }
        #expect(calls >= level.candidates.count)
        #expect(digest == renderer.contentDigest(of: [level], at: tile, .init(format: .png)))
    }

    /// Whatever the work had placed when it was stopped, the next one places all labels.
    @Test(arguments: [0, 1, 50, 399])
    func `labels of stopped work are not kept`(stop: Int) throws {
        let sample = SampleVenue(.init(levels: 1, unitsPerLevel: 400))
        let (level, other) = (try #require(sample.preparedLevels().first), try #require(sample.preparedLevels().first))
        let tile = try level.middleTile(zoom: 18)
        var calls = 0
        _ = renderer.contentDigest(of: [level], at: tile, .init(format: .png)) {
            calls += 1
            return calls > stop
        }
        #expect(
            renderer.contentDigest(of: [level], at: tile, .init(format: .png))
                == renderer.contentDigest(of: [other], at: tile, .init(format: .png)))
        #expect(
            renderer.labels(of: [level], zoom: 18, language: nil)
                == renderer.labels(of: [other], zoom: 18, language: nil))
    }

    @Test func `making glyphs asks before each, and what is stopped leaves out the rest`() throws {
        let all = try #require(renderer.fontStacks.glyphs("Sans JP", block: 0))
        var calls = 0
        let some = try #require(
            renderer.fontStacks.glyphs("Sans JP", block: 0) {
                calls += 1
                return calls > 100
            })
        #expect(calls == 256 && some.count < all.count)
    }

    /// Neither state has labels when the work is stopped, which does not mean that nothing changed.
    @Test(arguments: TileFormat.allCases)
    func `a comparison that is stopped has no result`(format: TileFormat) throws {
        var sample = SampleVenue(.init(levels: 1, unitsPerLevel: 40))
        let old = try #require(sample.preparedLevels().first)
        _ = sample.apply([Edit(.rename, 5)], seed: 1)
        let new = try #require(sample.preparedLevels().first)
        #expect(throws: CancellationError.self) {
            try renderer.changedTiles(from: [old], to: [new], .init(format: format)) { true }
        }
    }
}
