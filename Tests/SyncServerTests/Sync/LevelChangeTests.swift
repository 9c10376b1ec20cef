import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Rare changes of levels, one at a time; the model tests of the store combine them.
@Suite(.server)
struct LevelChangeTests {
    /// A level with its id, its ordinal and the units on it.
    private struct Floor {
        var id: Int
        var ordinal: Double
        var units: [Int] = []
    }

    /// A venue (1) and levels with units; loose units are venue-wide.
    private static func zip(_ floors: [Floor], loose: [Int] = [], as type: FeatureType = .unit) throws -> [UInt8] {
        var features = [Handmade.feature(1, .venue, geometry: Handmade.square())]
        for floor in floors {
            features.append(
                Handmade.feature(floor.id, .level, ["ordinal": .number(floor.ordinal)], geometry: Handmade.square()))
            for unit in floor.units {
                features.append(
                    Handmade.feature(
                        unit, type, ["level_id": Handmade.reference(floor.id), "name": ["en": "Unit"]],
                        geometry: Handmade.square(0.0005)))
            }
        }
        for unit in loose {
            features.append(Handmade.feature(unit, type, ["name": ["en": "Unit"]], geometry: Handmade.square(0.0005)))
        }
        return try Handmade.zip(features)
    }

    private static func publish(_ harness: Harness, _ zip: [UInt8]) async throws {
        let upload = try await harness.push(zip, query: "?identity=trust")
        try #require(upload.state == .published, "\(upload)")
        try await harness.set("removal_guard", to: false)
    }

    private static func levels(_ changes: ChangeSet) -> [FeatureID?: ChangeSet.Kind] {
        Dictionary(uniqueKeysWithValues: changes.blocks.map { ($0.level, $0.kind) })
    }

    private static func ids(_ block: ChangeSet.Block?) throws -> [FeatureID] {
        try #require(block).features.map { try Handmade.id(of: $0) }
    }

    @Test func `removed level is gone, and one that returns is sent whole`() async throws {
        let harness = Harness.current
        let (ground, top) = (Floor(id: 10, ordinal: 0, units: [100, 101]), Floor(id: 11, ordinal: 1, units: [110]))
        try await Self.publish(harness, Self.zip([ground, top]))
        let first = try await harness.sync().cursor
        try await Self.publish(harness, Self.zip([ground]))
        let without = try await harness.sync("since=\(first)")
        #expect(Self.levels(without) == [nil: .changes, Handmade.id(11): .gone])
        // The level feature is venue-wide and is removed there.
        #expect(without.blocks[0].removed.map(\.id) == [Handmade.id(11)])
        try await Self.publish(harness, Self.zip([ground, top]))
        let again = try await harness.sync("since=\(without.cursor)")
        #expect(Self.levels(again) == [nil: .changes, Handmade.id(11): .snapshot])
        #expect(again.cursor.holding?.levels == first.holding?.levels)
        // A client that missed both revisions still holds the level.
        #expect(try await harness.sync("since=\(first)").blocks.isEmpty)
        // A client that selects the removed level gets it when it returns.
        let named = try await harness.sync("to=2&level=\(Handmade.id(11))")
        #expect(Self.levels(named) == [nil: .snapshot])
        let back = try await harness.sync("since=\(named.cursor)&level=\(Handmade.id(11))")
        #expect(Self.levels(back) == [nil: .changes, Handmade.id(11): .snapshot])
    }

    @Test func `level with a new id is a new level to which its features have moved`() async throws {
        let harness = Harness.current
        try await Self.publish(harness, Self.zip([Floor(id: 10, ordinal: 0, units: [100, 101])]))
        var replica = Replica()
        try replica.apply(await harness.pages())
        try await Self.publish(harness, Self.zip([Floor(id: 20, ordinal: 0, units: [100, 101])]))
        let changes = try await harness.sync("since=\(try #require(replica.cursor))")
        #expect(
            Self.levels(changes) == [nil: .changes, Handmade.id(10): .gone, Handmade.id(20): .snapshot])
        try replica.apply([changes])
        #expect(replica.features[Handmade.id(100)]?.level == Handmade.id(20) && replica.features.count == 4)
        // A client that selects the ordinal follows to the new level.
        let ordinal = try await harness.sync("to=1&level=ordinal:0").cursor
        let followed = try await harness.sync("since=\(ordinal)&level=ordinal:0")
        #expect(Self.levels(followed) == Self.levels(changes))
    }

    @Test func `ordinal selects the levels that have it at that revision`() async throws {
        let harness = Harness.current
        let (ground, hall) = (Floor(id: 10, ordinal: 0, units: [100]), Floor(id: 11, ordinal: 2, units: [110]))
        try await Self.publish(harness, Self.zip([ground, hall]))
        let none = try await harness.sync("level=ordinal:1").cursor
        var raised = hall
        raised.ordinal = 1
        try await Self.publish(harness, Self.zip([ground, raised]))
        let one = try await harness.sync("since=\(none)&level=ordinal:1")
        #expect(Self.levels(one) == [nil: .changes, Handmade.id(11): .snapshot])
        try await Self.publish(harness, Self.zip([ground, raised, Floor(id: 12, ordinal: 1)]))
        let two = try await harness.sync("since=\(one.cursor)&level=ordinal:1")
        #expect(Self.levels(two) == [nil: .changes, Handmade.id(12): .snapshot])
        // The level returns to its ordinal: its feature changes, it leaves the selection, and the empty level
        // stays.
        try await Self.publish(harness, Self.zip([ground, hall, Floor(id: 12, ordinal: 1)]))
        let left = try await harness.sync("since=\(two.cursor)&level=ordinal:1")
        #expect(Self.levels(left) == [nil: .changes, Handmade.id(11): .gone])
        #expect(left.blocks.first { $0.kind == .gone }?.ordinal == 1)
        let calm = try await harness.sync("since=\(left.cursor)&level=ordinal:1")
        #expect(calm.blocks.isEmpty && calm.cursor == left.cursor)
    }

    @Test func `level without features has a digest, a block and a page of its own`() async throws {
        let harness = Harness.current
        try await Self.publish(harness, Self.zip([Floor(id: 10, ordinal: 0), Floor(id: 11, ordinal: 1)]))
        let whole = try await harness.sync()
        let empty = whole.blocks.filter { $0.level != nil }
        #expect(empty.count == 2 && empty.allSatisfy { $0.kind == .snapshot && $0.features.isEmpty })
        #expect(empty.allSatisfy { $0.digest == LevelDigest().finalize() })
        let pages = try await harness.pages(limit: 1)
        #expect(pages.count == 5 && pages.flatMap(\.blocks).filter { $0.level != nil } == empty)
        // The level is filled and emptied.
        try await Self.publish(
            harness, Self.zip([Floor(id: 10, ordinal: 0, units: [100]), Floor(id: 11, ordinal: 1)]))
        let filled = try await harness.sync("since=\(whole.cursor)")
        #expect(Self.levels(filled) == [Handmade.id(10): .changes])
        try await Self.publish(harness, Self.zip([Floor(id: 10, ordinal: 0), Floor(id: 11, ordinal: 1)]))
        let emptied = try await harness.sync("since=\(filled.cursor)")
        #expect(emptied.blocks.map(\.digest) == [LevelDigest().finalize()])
        #expect(emptied.blocks[0].features.isEmpty && emptied.blocks[0].removed.map(\.id) == [Handmade.id(100)])
    }

    @Test func `moved feature is sent on a selected level and removed from a held one`() async throws {
        let harness = Harness.current
        let (ten, eleven) = (Handmade.id(10), Handmade.id(11))
        func zip(_ first: [Int], _ second: [Int], loose: [Int] = []) throws -> [UInt8] {
            try Self.zip(
                [Floor(id: 10, ordinal: 0, units: first), Floor(id: 11, ordinal: 1, units: second)], loose: loose)
        }
        try await Self.publish(harness, zip([100, 101], [110]))
        var replica = Replica()
        try replica.apply(await harness.pages(levels: ["\(ten)"]))
        func pull() async throws -> ChangeSet {
            let changes = try await harness.sync("since=\(try #require(replica.cursor))&level=\(ten)")
            try replica.apply([changes])
            return changes
        }
        // To a level that is not selected …
        try await Self.publish(harness, zip([101], [110, 100]))
        let away = try await pull()
        #expect(away.blocks.map(\.level) == [ten] && away.blocks[0].features.isEmpty)
        #expect(away.blocks[0].removed.map(\.reason) == [.moved] && away.blocks[0].removed[0].movedTo == eleven)
        #expect(replica.features[Handmade.id(100)] == nil)
        // … on to the venue-wide part …
        try await Self.publish(harness, zip([101], [110], loose: [100]))
        let loose = try await pull()
        #expect(try loose.blocks.map(\.level) == [nil] && Self.ids(loose.blocks.first) == [Handmade.id(100)])
        // … and back, from there and from the other level at once.
        try await Self.publish(harness, zip([101, 100, 110], []))
        let back = try await pull()
        #expect(back.blocks.map(\.level) == [nil, ten])
        #expect(back.blocks[0].removed.map(\.movedTo) == [ten] && back.blocks[0].features.isEmpty)
        #expect(try Set(Self.ids(back.blocks.last)) == [Handmade.id(100), Handmade.id(110)])
        #expect(replica.features[Handmade.id(100)]?.level == ten)
    }

    @Test func `selection can shrink to the venue-wide part and grow again`() async throws {
        let harness = Harness.current
        try await Self.publish(
            harness, Self.zip([Floor(id: 10, ordinal: 0, units: [100]), Floor(id: 11, ordinal: 1, units: [110])]))
        let alone = try await harness.sync("level=venue").cursor
        let everything = try await harness.sync("since=\(alone)")
        #expect(Self.levels(everything) == [Handmade.id(10): .snapshot, Handmade.id(11): .snapshot])
        #expect(try await harness.sync().cursor == everything.cursor)
        for limit in [1, 5_000] {
            let pages = try await harness.pages(since: everything.cursor, levels: ["venue"], limit: limit)
            #expect(pages.count == (limit == 1 ? 2 : 1) && pages.last?.cursor == alone)
            #expect(pages.flatMap(\.blocks).map(\.kind) == [.gone, .gone])
        }
    }

    @Test func `type change of a feature is a change on its level`() async throws {
        let harness = Harness.current
        let floor = Floor(id: 10, ordinal: 0, units: [100])
        try await Self.publish(harness, Self.zip([floor]))
        let cursor = try await harness.sync().cursor
        try await Self.publish(harness, Self.zip([floor], as: .fixture))
        let changes = try await harness.sync("since=\(cursor)")
        #expect(changes.blocks.map(\.level) == [Handmade.id(10)] && changes.blocks[0].removed.isEmpty)
        #expect(try Self.ids(changes.blocks.first) == [Handmade.id(100)])
    }

    @Test func `sync to a named revision may name the held one, but no earlier one, and pages keep their target`()
        async throws
    {
        let harness = Harness.current
        for units in [[100], [100, 101], [100, 101, 102]] {
            try await Self.publish(harness, Self.zip([Floor(id: 10, ordinal: 0, units: units)]))
        }
        let second = try await harness.sync("to=2").cursor
        #expect(try await harness.sync("since=\(second)&to=2").blocks.isEmpty)
        #expect(try await harness.sync("since=\(second)&to=3").blocks.count == 1)
        let before = try await harness.send(.get, "/venues/mall/sync?since=\(second)&to=1").problem(400)
        #expect(before.type == "/problems/target-before-cursor")
        try await harness.send(.get, "/venues/mall/sync?since=\(second)&to=4").problem(404)
        let page = try await harness.sync("to=2&limit=2").cursor
        #expect(try await harness.sync("since=\(page)").to == 2)
        #expect(try await harness.sync("since=\(page)&to=2").to == 2)
        let other = try await harness.send(.get, "/venues/mall/sync?since=\(page)&to=3").problem(400)
        #expect(other.type == "/problems/invalid-cursor")
    }

    @Test func `cursor determines which levels count as held`() async throws {
        let harness = Harness.current
        let floors = [10, 11, 12].map { Floor(id: $0, ordinal: Double($0 - 10), units: [$0 * 10]) }
        try await Self.publish(harness, Self.zip(floors))
        let level = "level=\(Handmade.id(10))"
        var cursor = try await harness.sync(level).cursor
        try await Self.publish(harness, Self.zip(floors, loose: [200]))
        for bits in 0..<8 as Range<UInt8> {
            let held = try #require(LevelSet(bytes: [bits], count: 3))
            cursor.holding?.levels = .init(held)
            let changes = try await harness.sync("since=\(harness.sealed(cursor))&\(level)")
            // Levels that the cursor says are held are gone or changed; the selected one is sent in either case.
            let gone = changes.blocks.filter { $0.kind == .gone }.map(\.level)
            #expect(gone == [1, 2].filter { held.contains($0) }.map { Handmade.id(10 + $0) })
            #expect(changes.blocks.contains { $0.kind == .snapshot } == !held.contains(0))
        }
        cursor.holding?.levels = .some([8])
        let odd = try await harness.sealed(cursor)
        try await harness.send(.get, "/venues/mall/sync?since=\(odd)&\(level)").problem(400)
    }

    @Test
    func `cursor with any bit of its content flipped and sealed again is refused, or answered for what it says`()
        async throws
    {
        let harness = Harness.current
        let floors = [10, 11, 12].map { Floor(id: $0, ordinal: Double($0 - 10), units: [$0 * 10]) }
        try await Self.publish(harness, Self.zip(floors))
        let level = "level=\(Handmade.id(10))"
        let some = try await harness.sync(level)
        let page = try await harness.sync("\(level)&limit=2")
        try await Self.publish(harness, Self.zip(floors, loose: [200]))
        for cursor in [some.cursor, page.cursor] {
            var answered = 0
            for token in cursor.contentFlips {
                var since = token
                let flipped = Cursor(token)
                if let flipped { since = try await harness.sealed(flipped).description }
                let response = try await harness.send(.get, "/venues/mall/sync?since=\(since)&\(level)")
                guard response.status == .ok else {
                    #expect([400, 410].contains(response.status.code), "\(since): \(response.text.prefix(200))")
                    continue
                }
                answered += 1
                let meant = try #require(flipped)
                guard meant.page == nil else { continue }
                // Levels that the cursor says are held are gone or changed; the selected one is sent in either case.
                let changes = try response.changeSet
                let held = try #require(meant.holding?.levels.set(count: 3))
                let gone = changes.blocks.filter { $0.kind == .gone }.map(\.level)
                #expect(gone == [1, 2].filter { held.contains($0) }.map { Handmade.id(10 + $0) })
                #expect(changes.blocks.contains { $0.kind == .snapshot } == !held.contains(0))
            }
            #expect(answered > 0)
        }
    }
}

extension Cursor {
    /// Tokens with a valid checksum and no seal, each with another bit of the content flipped.
    fileprivate var contentFlips: [String] {
        let content = self.content
        return (0..<content.count * 8).map { bit in
            var bytes = content + [UInt8](repeating: 0, count: 8)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            bytes += Digest(of: bytes).bytes.prefix(4)
            return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
    }
}
