import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Level rollbacks in venues with a history, compared with a model.
@Suite(.server)
struct LevelRollbackModelTests {
    private static let edits: [Edit] = [
        Edit(.rename, 2), Edit(.move, 2), Edit(.relevel, 1), Edit(.floor), Edit(.removeFloor), Edit(.add, 2),
        Edit(.remove, 1), Edit(.hours, 2), Edit(.retype, 1), Edit(.recategorise, 2),
    ]

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `level rollback restores what the model restores, and is refused for the model's reasons`(seed: UInt64)
        async throws
    {
        let harness = Harness.current
        var random = SplitMix64(seed: seed)
        let first = SampleVenue(
            .init(levels: 2, unitsPerLevel: 6, seed: seed, customExtension: seed.isMultiple(of: 2)))
        var story = Story(harness: harness, history: [first])
        try await harness.push(first.archive())
        try await harness.set("removal_guard", to: false)
        for step in 0..<16 {
            try await story.pull(using: &random)
            if step % 2 == 0 { try await story.edit(Self.edits, using: &random) }
            try await story.rollBack(using: &random)
        }
        try await story.pull(using: &random)
        #expect(story.successes > 0)
    }
}

/// A venue with its history and clients.
private struct Story {
    let harness: Harness
    var history: [SampleVenue]
    var clients = [Client(), Client()]
    var successes = 0

    mutating func pull(using random: inout SplitMix64) async throws {
        for index in self.clients.indices where Bool.random(using: &random) {
            try await self.clients[index].pull(from: self.harness, of: self.history, using: &random)
        }
        #expect(try await self.harness.get(Venue.self, "/venues/mall").head == Int64(self.history.count))
    }

    mutating func edit(_ edits: [Edit], using random: inout SplitMix64) async throws {
        var next = self.history[self.history.count - 1]
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            _ = next.apply(edits.randomElement(using: &random) ?? Edit(.rename, 1), using: &random)
        }
        if Int.random(in: 0..<2, using: &random) == 0 { self.damage(&next, using: &random) }
        if try await self.harness.push(next.archive()).state == .published { self.history.append(next) }
    }

    /// Imitates careless tools: removes a unit, sometimes without its dependents, and adds a sign that refers to it.
    private func damage(_ venue: inout SampleVenue, using random: inout SplitMix64) {
        let units = venue.ids(of: .unit).sorted()
        let named = Set(LevelRollbackModel.state(venue).values.flatMap(\.references).map(\.target))
        let lonely = units.filter { !named.contains($0) }
        let isCareless = Int.random(in: 0..<4, using: &random) == 0
        guard let unit = (isCareless || lonely.isEmpty ? units : lonely).randomElement(using: &random),
            let other = units.randomElement(using: &random)
        else { return }
        if Int.random(in: 0..<3, using: &random) > 0 { venue.features.removeAll { $0.id == unit } }
        // The stream of equal seeds has the ids of the venue, which an upload would tell apart.
        var id = FeatureID.random(using: &random)
        if venue.features.contains(where: { $0.id == id }) { id = FeatureID(high: id.high, low: id.low ^ 1) }
        venue.features.append(
            SampleFeature(
                id: id, type: FeatureType(rawValue: "sign"), geometry: .null,
                properties: ["shows": [.string(unit.description), .string(other.description)]]))
    }

    /// Rolls random levels back, adding those that refusals name, until it succeeds or only the whole venue is
    /// possible.
    mutating func rollBack(using random: inout SplitMix64) async throws {
        let target = Int.random(in: 1...self.history.count, using: &random)
        let (now, then) = (self.history[self.history.count - 1], self.history[target - 1])
        let model = LevelRollbackModel(now: LevelRollbackModel.state(now), then: LevelRollbackModel.state(then))
        let all = model.now.levels.union(model.then.levels).sorted()
        var levels = Set(all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        if levels.isEmpty { levels = [all[Int.random(in: all.indices, using: &random)]] }
        while true {
            let request: JSONValue = [
                "to": .number(Double(target)),
                "levels": .array(levels.shuffled(using: &random).map { .string($0.description) }),
            ]
            let before = try await self.harness.get(Venue.self, "/venues/mall")
            let response = try await self.harness.send(.post, "/venues/mall/rollback", json: request)
            switch model.outcome(levels) {
            case .nothing:
                #expect(try response.problem(409).type == "/problems/nothing-to-restore")
                return
            case .state(let state):
                try #require(response.status == .created, "\(response.text)")
                try await self.check(
                    state, model, levels, before, try response.decoded(Revision.self), target: Int64(target))
                self.history.append(state.venue(like: now))
                self.successes += 1
                return
            case .entangled(let crossed, let dangling, let displaced):
                let refusal = try Refusal(response)
                #expect(refusal.crossed == Array(crossed.sorted().prefix(100)) && refusal.crossedCount == crossed.count)
                #expect(refusal.displaced == Array(displaced.sorted().prefix(100)))
                #expect(refusal.dangling.isSubset(of: dangling) && refusal.danglingCount == dangling.count)
                #expect(refusal.dangling.count == min(dangling.count, 100))
                #expect(try await self.harness.get(Venue.self, "/venues/mall").digest == before.digest)
                let more = Set(refusal.addLevels)
                #expect(more.isDisjoint(with: levels) && more.isSubset(of: all))
                if more.isEmpty {
                    self.checkHopeless(model, levels, all)
                    return
                }
                levels.formUnion(more)
            }
        }
    }

    private func check(
        _ state: LevelRollbackModel.State, _ model: LevelRollbackModel, _ levels: Set<FeatureID>, _ before: Venue,
        _ revision: Revision, target: Int64
    ) async throws {
        #expect(revision.kind == .rollback && revision.restores == target && revision.levels == levels.sorted())
        #expect(revision.number == before.head + 1 && revision.features == state.count)
        let bodies = try await self.harness.features(at: revision.number)
        #expect(Set(bodies) == Set(state.bodies.values))
        let after = try await self.harness.get(Venue.self, "/venues/mall")
        #expect(after.digest == revision.digest && Set(after.levels.compactMap(\.level)) == state.levels)
        for level in after.levels {
            let digest = level.level.map { levels.contains($0) ? model.then.digest(of: $0) : model.now.digest(of: $0) }
            #expect(level.digest == digest ?? state.digest(of: nil), "\(level.level?.description ?? "-")")
        }
        for level in state.levels {
            let touching = state.filter { $0.value.type != .level && $0.value.home($0.key).contains(level) }
            let found = try await self.harness.features(at: revision.number, "level=\(level)&spanning=true")
            #expect(Set(found) == Set(touching.values.map { CanonicalJSON.data($0.body) }))
        }
        let counts = revision.changes
        let changed = state.filter { id, entry in
            model.now[id].map { $0.body != entry.body || $0.placement.level != entry.placement.level } ?? false
        }
        #expect(counts.added == Set(state.keys).subtracting(model.now.keys).count && counts.changed == changed.count)
        #expect(counts.removed == Set(model.now.keys).subtracting(state.keys).count)
    }

    /// Checks that no larger set of levels would have succeeded.
    private func checkHopeless(_ model: LevelRollbackModel, _ levels: Set<FeatureID>, _ all: [FeatureID]) {
        let others = all.filter { !levels.contains($0) }
        for choice in 0..<(1 << min(others.count, 6)) {
            let more = others.enumerated().filter { choice & (1 << $0.offset) != 0 }.map(\.element)
            if case .entangled = model.outcome(levels.union(more)) { continue }
            Issue.record("\(more) would have helped")
        }
    }
}

/// The lists of a refusal.
private struct Refusal {
    let crossed: [FeatureID]
    let crossedCount: Int
    let dangling: Set<LevelRollbackModel.Pair>
    let displaced: [FeatureID]
    let danglingCount: Int
    let addLevels: [FeatureID]

    init(_ response: TestResponse) throws {
        #expect(try response.problem(409).type == "/problems/levels-entangled")
        let json = try response.json
        func id(_ value: JSONValue?) -> FeatureID? { value?.string.flatMap { FeatureID($0) } }
        func ids(_ list: String) throws -> [FeatureID] {
            try #require(json[list]?.array).compactMap { id($0["id"]) }
        }
        self.crossed = try ids("crossed")
        self.displaced = try ids("displaced")
        self.dangling = Set(
            try #require(json["dangling"]?.array).compactMap { item in
                guard let from = id(item["id"]), let missing = id(item["missing"]) else { return nil }
                return LevelRollbackModel.Pair(id: from, missing: missing)
            })
        self.crossedCount = Int(try #require(json["counts"]?["crossed"]?.number))
        self.danglingCount = Int(try #require(json["counts"]?["dangling"]?.number))
        self.addLevels = try #require(json["add_levels"]?.array).compactMap { id($0) }
    }
}
