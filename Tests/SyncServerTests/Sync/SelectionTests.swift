import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// The levels that a client selects compared with those it holds.
@Suite(.server)
struct SelectionTests {
    private static let levels = SampleVenue.tiny.ids(of: .level).sorted()

    @Test func `level selection always includes the venue-wide part, which can also be selected alone`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let alone = try await harness.sync("level=venue")
        #expect(alone.blocks.map(\.level) == [nil])
        let one = try await harness.sync("level=\(Self.levels[0])")
        #expect(one.blocks.map(\.level) == [nil, Self.levels[0]])
        #expect(one.blocks[0].features == alone.blocks[0].features)
        let two = try await harness.sync("level=\(Self.levels[0])&level=\(Self.levels[1])&level=venue")
        #expect(Set(two.blocks.map(\.level)) == [nil, Self.levels[0], Self.levels[1]])
    }

    @Test func `level selection sends newly selected levels as snapshots and unwanted ones as gone`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let first = try await harness.sync("level=\(Self.levels[0])")
        let other = try await harness.sync("since=\(first.cursor)&level=\(Self.levels[1])")
        #expect(other.blocks.count == 2)
        let gone = try #require(other.blocks.first { $0.level == Self.levels[0] })
        #expect(gone.kind == .gone && gone.digest == nil && gone.features.isEmpty && gone.removed.isEmpty)
        let came = try #require(other.blocks.first { $0.level == Self.levels[1] })
        #expect(came.kind == .snapshot && came.digest != nil && !came.features.isEmpty)
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(first.cursor)&level=venue").json
        let block = try #require(response["levels"]?.array?.first)
        #expect(block["kind"] == "gone" && block["digest"]?.isNull == true)
        #expect(block["features"] == [] && block["removed"] == [])
    }

    @Test func `level selection reports a removed level as gone`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let first = try await harness.sync()
        try await harness.set("removal_guard", to: false)
        let next = SampleVenue.tiny.edited(Edit(.removeFloor))
        let lost = try #require(SampleVenue.tiny.ids(of: .level).subtracting(next.ids(of: .level)).first)
        try await harness.push(next.archive())
        let changes = try await harness.sync("since=\(first.cursor)")
        #expect(changes.blocks.first { $0.level == lost }?.kind == .gone)
        // A client that still selects the removed level gets the rest.
        let response = try await harness.sync("since=\(first.cursor)&level=\(lost)")
        #expect(response.blocks.first { $0.level == lost }?.kind == .gone)
        #expect(try await harness.sync("level=\(lost)").blocks.map(\.level) == [nil])
    }

    @Test func `level selection ignores unknown levels and refuses malformed ones`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let alone = try await harness.sync("level=venue")
        for value in ["\(Handmade.id(7))", "ordinal:77", "ordinal:-9"] {
            let response = try await harness.sync("level=\(value)")
            #expect(response.blocks == alone.blocks && response.cursor == alone.cursor, "\(value)")
        }
        for value in ["foo", "ordinal:", "ordinal:one", "ordinal:1.5", "1", "venue%00", "VENUE"] {
            try await harness.send(.get, "/venues/mall/sync?level=\(value)").problem(400)
            try await harness.send(.get, "/venues/mall/sync?level=venue&level=\(value)").problem(400)
        }
    }

    @Test func `level ids are accepted in either case and returned in lowercase`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let small = try await harness.send(.get, "/venues/mall/sync?level=\(Self.levels[0])")
        let capital = try await harness.send(
            .get, "/venues/mall/sync?level=\(Self.levels[0].description.uppercased())")
        #expect(capital.status == .ok && capital.data == small.data)
        #expect(try small.json["levels"]?.array?.last?["level_id"]?.string == Self.levels[0].description)
    }

    @Test func `level selection: an ordinal is resolved anew at every revision`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let levels = try await harness.get(Venue.self, "/venues/mall").levels
        let top = try #require(levels.compactMap(\.ordinal).max())
        let first = try await harness.sync("level=ordinal:\(top + 1)")
        #expect(first.blocks.map(\.level) == [nil])
        let next = venue.edited(Edit(.floor))
        try await harness.push(next.archive())
        let added = try #require(next.ids(of: .level).subtracting(venue.ids(of: .level)).first)
        let changes = try await harness.sync("since=\(first.cursor)&level=ordinal:\(top + 1)")
        let block = try #require(changes.blocks.first { $0.level == added })
        #expect(block.kind == .snapshot && block.ordinal == top + 1)
    }

    @Test func `cursors of clients with the same content are equal, however they got there`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let start = try await harness.sync().cursor
        venue = venue.edited(Edit(.rename, 2), seed: 3)
        try await harness.push(venue.archive())
        let step = try await harness.sync("since=\(start)").cursor
        venue = venue.edited(Edit(.move, 2), seed: 4)
        try await harness.push(venue.archive())
        let fresh = try await harness.sync().cursor
        let named = Self.levels.map { "level=\($0)" }.joined(separator: "&")
        #expect(try await harness.sync("since=\(step)").cursor == fresh)
        #expect(try await harness.sync("since=\(start)").cursor == fresh)
        #expect(try await harness.sync(named).cursor == fresh)
        #expect(try await harness.sync("since=\(start)&level=venue").cursor == harness.sync("level=venue").cursor)
        #expect(try await harness.sync("level=venue").cursor != fresh)
        #expect(try await harness.pages(limit: 9).last?.cursor == fresh)
    }

    @Test func `cursor advances even when only unselected levels changed`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let everything = try await harness.sync().cursor
        let next = venue.edited(Edit(.rename, 1))
        try await harness.push(next.archive())
        let touched = Set(try await harness.sync("since=\(everything)").blocks.map(\.level))
        let calm = try #require(Self.levels.first { !touched.contains($0) })
        let first = try await harness.sync("to=1&level=\(calm)")
        let second = try await harness.sync("since=\(first.cursor)&level=\(calm)")
        #expect(second.blocks.isEmpty && second.to == 2 && second.cursor != first.cursor)
        #expect(try await harness.sync("since=\(second.cursor)&level=\(calm)").cursor == second.cursor)
    }

    @Test func `level selection must be the same on every page`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let page = try await harness.sync("level=\(Self.levels[0])&limit=3")
        #expect(!page.isComplete)
        for other in ["", "&level=venue", "&level=\(Self.levels[1])"] {
            try await harness.send(.get, "/venues/mall/sync?since=\(page.cursor)\(other)").problem(400)
        }
        #expect(try await harness.sync("since=\(page.cursor)&level=\(Self.levels[0])").to == 1)
    }

    @Test func `limit parameter is clamped when too large and refused when malformed`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let whole = try await harness.sync()
        #expect(try await harness.sync("limit=50001").blocks == whole.blocks)
        #expect(try await harness.sync("limit=1000000000").isComplete)
        for limit in ["0", "-1", "ten", "1.5", "0x10"] {
            try await harness.send(.get, "/venues/mall/sync?limit=\(limit)").problem(400)
        }
    }
}
