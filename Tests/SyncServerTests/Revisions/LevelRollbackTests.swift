import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Level rollbacks in small venues with the levels 2, 3 and 4 at the ordinals 0, 1 and 2.
@Suite(.server)
struct LevelRollbackTests {
    private static let path = "/venues/mall/rollback"

    private static func unit(_ number: Int, on level: Int, _ name: String) -> JSONValue {
        Handmade.feature(
            number, .unit, ["level_id": Handmade.reference(level), "name": ["en": .string(name)]],
            geometry: Handmade.square(0.0005))
    }

    private static func level(_ number: Int, ordinal: Int, name: String = "floor") -> JSONValue {
        Handmade.feature(
            number, .level, ["ordinal": .number(Double(ordinal)), "name": ["en": .string(name)]],
            geometry: Handmade.square())
    }

    /// A venue of three levels with a unit on each (12, 13, 14), and further features.
    private static func zip(
        _ more: [JSONValue] = [], names: [Int: String] = [:], without gone: Set<Int> = []
    ) throws -> [UInt8] {
        let base = [
            Handmade.feature(1, .venue, geometry: Handmade.square()), self.level(2, ordinal: 0),
            self.level(3, ordinal: 1),
            self.level(4, ordinal: 2),
        ]
        let units = [12, 13, 14].filter { !gone.contains($0) }.map { self.unit($0, on: $0 - 10, names[$0] ?? "unit") }
        return try Handmade.zip(base + units + more)
    }

    private static func request(_ levels: JSONValue, to revision: Int = 1, dryRun: Bool = false) -> JSONValue {
        ["to": .number(Double(revision)), "levels": levels, "dry_run": .bool(dryRun)]
    }

    private static func push(_ archives: [UInt8]..., to harness: Harness) async throws {
        for (index, archive) in archives.enumerated() {
            #expect(try await harness.push(archive).state == .published)
            if index == 0 { try await harness.set("removal_guard", to: false) }
        }
    }

    private static func name(of unit: Int, in harness: Harness) async throws -> String? {
        let response = try await harness.send(.get, "/venues/mall/features/\(Handmade.id(unit))")
        return response.status == .ok ? try response.json["properties"]?["name"]?["en"]?.string : nil
    }

    @Test func `level rollback restores the named levels and leaves the rest as it is`() async throws {
        let harness = Harness.current
        try await Self.push(Self.zip(), Self.zip(names: [12: "new", 13: "new"]), to: harness)
        let old = try await harness.get(Venue.self, "/venues/mall")
        let dry = try await harness.send(
            .post, Self.path, json: Self.request([Handmade.reference(2)], dryRun: true))
        #expect(dry.status == .ok)
        #expect(try dry.json["levels"] == [Handmade.reference(2)])
        #expect(try dry.json["changes"]?["changed"] == 1 && dry.json["changes"]?["words"]?.array?.count == 1)
        #expect(try await harness.get(Venue.self, "/venues/mall").digest == old.digest)
        #expect(try await harness.count("revision") == 2)

        let response = try await harness.send(.post, Self.path, json: Self.request(["ordinal:0"]))
        #expect(response.status == .created)
        #expect(try await Self.name(of: 12, in: harness) == "unit")
        #expect(try await Self.name(of: 13, in: harness) == "new")
        let revision = try await harness.send(.get, "/venues/mall/revisions/3").json
        #expect(revision["kind"] == "rollback" && revision["restores"] == 1)
        #expect(revision["levels"] == [Handmade.reference(2)])
        #expect(revision["changes"]?["changed"] == 1)
        let log = try await harness.send(.get, "/venues/mall/revisions").json["revisions"]?.array
        #expect(log?.map { $0["levels"] } == [[Handmade.reference(2)], .null, .null])
    }

    @Test func `level rollback can be undone, by levels and as a whole`() async throws {
        let harness = Harness.current
        try await Self.push(Self.zip(), Self.zip(names: [12: "new", 13: "new"]), to: harness)
        func names() async throws -> [String?] {
            try await [Self.name(of: 12, in: harness), Self.name(of: 13, in: harness)]
        }
        func roll(_ request: JSONValue) async throws {
            #expect(try await harness.send(.post, Self.path, json: request).status == .created)
        }
        try await roll(Self.request([Handmade.reference(2)]))
        #expect(try await names() == ["unit", "new"])
        try await roll(Self.request([Handmade.reference(2)], to: 2))
        #expect(try await names() == ["new", "new"])
        try await roll(["to": 3])
        #expect(try await names() == ["unit", "new"])
        try await roll(Self.request([Handmade.reference(3)], to: 1))
        #expect(try await names() == ["unit", "unit"])
        let (first, last) = try await (
            harness.get(Revision.self, "/venues/mall/revisions/1"),
            harness.get(Revision.self, "/venues/mall/revisions/6")
        )
        #expect(first.digest == last.digest)
        for (target, number) in [(4, 7), (5, 8), (6, 9)] {
            try await roll(["to": .number(Double(target))])
            let then = try await harness.get(Revision.self, "/venues/mall/revisions/\(target)")
            let now = try await harness.get(Revision.self, "/venues/mall/revisions/\(number)")
            #expect(now.digest == then.digest && now.levels == nil && now.features == then.features)
        }
    }

    @Test func `level rollback restores a removed level completely, and removes an added one`() async throws {
        let harness = Harness.current
        let attraction = FeatureType(rawValue: "attraction")
        let tall = try Handmade.zip(
            [
                Handmade.feature(1, .venue, geometry: Handmade.square()), Self.level(2, ordinal: 0),
                Self.level(3, ordinal: 1), Self.unit(12, on: 2, "unit"), Self.unit(13, on: 3, "unit"),
            ],
            and: [
                ArchiveFile(
                    name: "fun.geojson",
                    content: Handmade.collection([
                        Handmade.feature(
                            20, attraction, ["unit_id": Handmade.reference(13)], geometry: Handmade.point)
                    ]))
            ])
        let low = try Handmade.zip([
            Handmade.feature(1, .venue, geometry: Handmade.square()), Self.level(2, ordinal: 0),
            Self.unit(12, on: 2, "new"),
        ])
        try await Self.push(tall, low, to: harness)
        // The level is missing at the head and present at revision 1.
        let response = try await harness.send(.post, Self.path, json: Self.request(["ordinal:1"]))
        #expect(response.status == .created, "\(response.text)")
        let venue = try await harness.get(Venue.self, "/venues/mall")
        let old = try await harness.get(Revision.self, "/venues/mall/revisions/1")
        #expect(venue.levels.compactMap(\.level) == [Handmade.id(2), Handmade.id(3)])
        #expect(try await Self.name(of: 12, in: harness) == "new")
        #expect(try response.decoded(Revision.self).features == old.features)
        let zip = try await harness.send(.get, "/venues/mall/revisions/3/archive.zip")
        let archive = try ArchiveReader().read(bytes: Array(zip.data))
        #expect(archive.fileNames == [attraction: "fun.geojson"] && archive.features.count == old.features)
        #expect(try await harness.push(Array(zip.data)).state == .unchanged)

        #expect(
            try await harness.send(.post, Self.path, json: Self.request([Handmade.reference(3)], to: 2)).status
                == .created)
        let end = try await harness.get(Venue.self, "/venues/mall")
        let second = try await harness.get(Revision.self, "/venues/mall/revisions/2")
        #expect(end.digest == second.digest && end.levels.compactMap(\.level) == [Handmade.id(2)])
    }

    @Test func `level rollback lists features that moved between levels, with the level to add`() async throws {
        let harness = Harness.current
        let moved = try Handmade.zip([
            Handmade.feature(1, .venue, geometry: Handmade.square()), Self.level(2, ordinal: 0),
            Self.level(3, ordinal: 1),
            Self.level(4, ordinal: 2), Self.unit(12, on: 3, "unit"), Self.unit(13, on: 3, "new"),
            Self.unit(14, on: 4, "new"),
        ])
        try await Self.push(Self.zip(), moved, to: harness)
        for (level, other) in [(2, 3), (3, 2)] {
            for dryRun in [true, false] {
                let response = try await harness.send(
                    .post, Self.path, json: Self.request([Handmade.reference(level)], dryRun: dryRun))
                let problem = try response.problem(409)
                #expect(problem.type == "/problems/levels-entangled" && problem.detail?.isEmpty == false)
                let json = try response.json
                #expect(
                    json["crossed"] == [
                        [
                            "id": Handmade.reference(12), "feature_type": "unit",
                            "level_id": Handmade.reference(3), "level_id_then": Handmade.reference(2),
                        ]
                    ])
                #expect(json["dangling"] == [] && json["displaced"] == [])
                #expect(json["add_levels"] == [Handmade.reference(other)])
                #expect(json["counts"] == ["crossed": 1, "dangling": 0, "displaced": 0])
            }
        }
        let both: JSONValue = [Handmade.reference(2), Handmade.reference(3)]
        #expect(try await harness.send(.post, Self.path, json: Self.request(both)).status == .created)
        #expect(try await Self.name(of: 13, in: harness) == "unit")
        #expect(try await Self.name(of: 14, in: harness) == "new")
    }

    @Test func `level rollback truncates its lists at 100 items, but not its counts`() async throws {
        let harness = Harness.current
        let numbers = 100..<250
        try await Self.push(
            Self.zip(numbers.map { Self.unit($0, on: 2, "unit") }),
            Self.zip(numbers.map { Self.unit($0, on: 3, "unit") }), to: harness)
        let response = try await harness.send(.post, Self.path, json: Self.request([Handmade.reference(2)]))
        try response.problem(409)
        #expect(try response.json["crossed"]?.array?.count == 100)
        #expect(try response.json["counts"]?["crossed"] == 150)
        #expect(try response.json["add_levels"] == [Handmade.reference(3)])
    }

    @Test func `level rollback lists features that would refer to removed ones, with their levels`() async throws {
        let harness = Harness.current
        let link = Handmade.feature(
            30, .init(rawValue: "pass"), ["gates": [Handmade.reference(13), Handmade.reference(22)]])
        try await Self.push(Self.zip(), Self.zip([Self.unit(22, on: 2, "added"), link]), to: harness)
        let response = try await harness.send(.post, Self.path, json: Self.request([Handmade.reference(2)]))
        try response.problem(409)
        let dangling: JSONValue = [
            "id": Handmade.reference(30), "feature_type": "pass", "missing": Handmade.reference(22),
        ]
        #expect(try response.json["dangling"] == [dangling])
        #expect(try response.json["add_levels"] == [Handmade.reference(3)])
        let both: JSONValue = [Handmade.reference(2), Handmade.reference(3)]
        #expect(try await harness.send(.post, Self.path, json: Self.request(both)).status == .created)
        try await harness.send(.get, "/venues/mall/features/\(Handmade.id(30))").problem(404)
    }

    @Test func `level rollback asks for the whole venue when a restored feature needs one without a level`()
        async throws
    {
        let harness = Harness.current
        let address = Handmade.feature(40, .address, ["address": "1 Long Street"])
        let anchor = Handmade.feature(
            41, .anchor, ["unit_id": Handmade.reference(12), "address_id": Handmade.reference(40)],
            geometry: Handmade.point)
        try await Self.push(Self.zip([address, anchor]), Self.zip(), to: harness)
        let response = try await harness.send(.post, Self.path, json: Self.request([Handmade.reference(2)]))
        #expect(try response.problem(409).detail?.contains("whole venue") == true)
        let dangling: JSONValue = [
            "id": Handmade.reference(41), "feature_type": "anchor", "missing": Handmade.reference(40),
        ]
        #expect(try response.json["dangling"] == [dangling])
        #expect(try response.json["add_levels"] == [])
        #expect(try await harness.send(.post, Self.path, json: ["to": 1]).status == .created)
    }

    @Test func `level rollback lists features that would change their level`() async throws {
        let harness = Harness.current
        // The sign refers to a removed unit; when the unit is restored, the sign spans two levels.
        let sign = Handmade.feature(
            50, .init(rawValue: "sign"), ["shows": [Handmade.reference(13), Handmade.reference(12)]])
        try await Self.push(Self.zip(), Self.zip(without: [12]), Self.zip([sign], without: [12]), to: harness)
        let response = try await harness.send(.post, Self.path, json: Self.request([Handmade.reference(2)]))
        try response.problem(409)
        let displaced: JSONValue = [
            "id": Handmade.reference(50), "feature_type": "sign", "level_id": .null,
            "level_id_then": Handmade.reference(3),
        ]
        #expect(try response.json["displaced"] == [displaced])
        #expect(try response.json["add_levels"] == [Handmade.reference(3)])
    }

    @Test func `level rollback restores a feature that spans levels only when all of these are named`() async throws {
        let harness = Harness.current
        func lift(_ name: String) -> JSONValue {
            Handmade.feature(
                60, .amenity,
                [
                    "unit_ids": [Handmade.reference(12), Handmade.reference(13)], "category": "elevator",
                    "name": ["en": .string(name)],
                ],
                geometry: Handmade.point)
        }
        try await Self.push(
            Self.zip([lift("old")]), Self.zip([lift("new")], names: [12: "new", 13: "new"]), to: harness)
        #expect(
            try await harness.send(.post, Self.path, json: Self.request([Handmade.reference(2)])).status == .created
        )
        #expect(try await Self.name(of: 60, in: harness) == "new")
        let both: JSONValue = [Handmade.reference(2), Handmade.reference(3)]
        #expect(try await harness.send(.post, Self.path, json: Self.request(both)).status == .created)
        #expect(try await Self.name(of: 60, in: harness) == "old")
        let spanning = try await harness.features(at: 4, "level=\(Handmade.id(3))&spanning=true&type=amenity")
        #expect(spanning.count == 1)
    }

    @Test func `level rollback updates the levels that an unchanged feature touches`() async throws {
        let harness = Harness.current
        let sign = Handmade.feature(
            50, .init(rawValue: "sign"), ["shows": [Handmade.reference(12), Handmade.reference(13)]])
        let higher = try Self.zip([Self.unit(13, on: 4, "unit")], without: [13])
        try await Self.push(higher, Self.zip([sign]), to: harness)
        func signs(_ revision: Int64) async throws -> [Int] {
            var counts: [Int] = []
            for level in 2...4 {
                let query = "level=\(Handmade.id(level))&spanning=true&type=sign"
                counts.append(try await harness.features(at: revision, query).count)
            }
            return counts
        }
        #expect(try await signs(2) == [1, 1, 0])
        let both: JSONValue = [Handmade.reference(3), Handmade.reference(4)]
        let response = try await harness.send(.post, Self.path, json: Self.request(both))
        #expect(response.status == .created, "\(response.text)")
        #expect(try await signs(3) == [1, 0, 1])
        #expect(try response.decoded(Revision.self).changes.changed == 1)
    }

    @Test func `level rollback without effect, or to an unknown revision, is refused`() async throws {
        let harness = Harness.current
        try await Self.push(Self.zip(), Self.zip(names: [12: "new"]), to: harness)
        for (levels, to, status) in [(3, 1, 409), (2, 2, 409), (2, 9, 404)] {
            let problem = try await harness.send(
                .post, Self.path, json: Self.request([Handmade.reference(levels)], to: to)
            ).problem(status)
            #expect(problem.type == "/problems/\(status == 409 ? "nothing-to-restore" : "revision-not-found")")
        }
        #expect(try await harness.count("revision") == 2)
    }

    @Test func `level rollback with invalid or unknown level names is refused`() async throws {
        let harness = Harness.current
        try await Self.push(Self.zip(), Self.zip(names: [12: "new"]), to: harness)
        for levels in [
            [], ["venue"], ["ordinal:7"], ["ordinal:0", "ordinal:7"], [.string(Handmade.id(12).description)], ["L2"],
            [""],
            [7], "ordinal:0", [.null], [["ordinal:0"]], ["ordinal:"], ["ordinal:99999999999999999999"],
        ] as [JSONValue] {
            try await harness.send(.post, Self.path, json: Self.request(levels)).problem(400, "\(levels)")
            #expect(try await harness.count("revision") == 2)
        }
    }

    @Test func `level rollbacks and uploads that race are serialised, each correct for the state before it`()
        async throws
    {
        let harness = Harness.current
        let first = try Self.zip()
        try await Self.push(first, Self.zip(names: [12: "a", 13: "a", 14: "a"]), to: harness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (level, to) in [(2, 1), (3, 1), (2, 2), (4, 1)] {
                group.addTask {
                    let request = Self.request([Handmade.reference(level)], to: to)
                    let response = try await harness.send(.post, Self.path, json: request)
                    #expect(response.status == .created || response.status == .conflict, "\(response.text)")
                }
            }
            group.addTask { try await harness.push(Self.zip(names: [12: "b", 13: "b", 14: "b"])) }
            try await group.waitForAll()
        }
        let log = try await harness.store.log(
            of: harness.store.venue(#require(VenueKey("mall"))), before: nil, limit: 50)
        #expect(log.count >= 4)
        func state(_ number: Int64) async throws -> LevelRollbackModel.State {
            LevelRollbackModel.state(try await harness.features(at: number).map { try JSONReader.value(of: $0) })
        }
        for revision in log.map(\.revision) where revision.kind == .rollback {
            let model = try await LevelRollbackModel(
                now: state(revision.number - 1), then: state(#require(revision.restores)))
            guard case .state(let expected) = model.outcome(Set(try #require(revision.levels))) else {
                Issue.record("revision \(revision.number) should not be there")
                continue
            }
            #expect(try await state(revision.number).bodies == expected.bodies)
        }
    }
}
