import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Clients that apply only the five steps of the protocol, compared with the state of the venue.
@Suite(.server)
struct ReplicaTests {
    private static let edits: [Edit] = [
        Edit(.rename, 2), Edit(.move, 2), Edit(.relevel, 2), Edit(.floor), Edit(.removeFloor), Edit(.add, 3),
        Edit(.remove, 2), Edit(.hours, 1), Edit(.retype, 1), Edit(.recategorise, 2),
    ]

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `sync: clients that pull at random moments hold the state of the venue`(seed: UInt64) async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: seed)
        var history = [
            SampleVenue(.init(levels: 2, unitsPerLevel: 6, seed: seed, customExtension: seed.isMultiple(of: 2)))
        ]
        try await harness.push(history[0].archive())
        try await harness.set("removal_guard", to: false)
        var clients = [Client(), Client(), Client()]
        for step in 0..<8 {
            for index in clients.indices where step == 7 || Bool.random(using: &random) {
                try await clients[index].pull(from: harness, of: history, using: &random)
            }
            if let next = try await Self.change(history, in: harness, using: &random) { history.append(next) }
            #expect(try await harness.get(Venue.self, "/venues/mall").head == Int64(history.count))
        }
        for index in clients.indices { try await clients[index].pull(from: harness, of: history, using: &random) }
    }

    /// An upload or a rollback; nil when it made no revision.
    private static func change(
        _ history: [SampleVenue], in harness: Harness, using random: inout SplitMix64
    ) async throws -> SampleVenue? {
        var next = history[history.count - 1]
        if Int.random(in: 0..<4, using: &random) == 0 {
            let target = Int.random(in: 1...history.count, using: &random)
            let response = try await harness.send(.post, "/venues/mall/rollback", json: ["to": .number(Double(target))])
            if history[target - 1].bodies == next.bodies {
                try response.problem(409)
                return nil
            }
            #expect(response.status == .created)
            return history[target - 1]
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            _ = next.apply(Self.edits.randomElement(using: &random) ?? Edit(.rename, 1), using: &random)
        }
        // The model relies on ids; matching of removed and added shops has its own tests.
        let upload = try await harness.push(next.archive(), query: "?identity=trust")
        #expect(upload.state == (next.bodies == history.last?.bodies ? .unchanged : .published))
        return upload.state == .published ? next : nil
    }

    @Test func `sync pages add up to the same change set for every page size`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync("level=ordinal:0").cursor
        try await harness.set("removal_guard", to: false)
        let next = SampleVenue.tiny.edited(Edit(.relevel, 3), Edit(.remove, 2), Edit(.rename, 4), Edit(.floor))
        try await harness.push(next.archive())
        let whole = try await harness.pages(since: cursor)
        #expect(whole.count == 1)
        for limit in [1, 2, 7, 50] {
            let pages = try await harness.pages(since: cursor, limit: limit)
            #expect(pages.dropLast().allSatisfy { !$0.isComplete } && pages.last?.cursor == whole[0].cursor)
            #expect(pages.allSatisfy { $0.blocks.reduce(0) { $0 + $1.features.count + $1.removed.count } <= limit })
            for page in pages {
                #expect(
                    page.from == 1 && page.to == 2 && page.digest == whole[0].digest && page.about == whole[0].about
                )
            }
            Self.check(pages.flatMap(\.blocks), against: whole[0].blocks)
        }
    }

    /// The joined parts must equal the blocks; only the last part of each block has the digest.
    private static func check(_ parts: [ChangeSet.Block], against blocks: [ChangeSet.Block]) {
        var joined: [ChangeSet.Block] = []
        for part in parts {
            #expect(part.isContinued == (joined.last?.level == part.level && !joined.isEmpty))
            guard part.isContinued, var last = joined.popLast() else {
                joined.append(part)
                continue
            }
            #expect(last.digest == nil && last.kind == part.kind && last.ordinal == part.ordinal)
            last.features += part.features
            last.removed += part.removed
            last.digest = part.digest
            joined.append(last)
        }
        #expect(joined == blocks)
    }

    @Test func `sync pages lead to the revision of the first page despite later revisions`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        var pages = [try await harness.sync("limit=20")]
        let next = venue.edited(Edit(.rename, 5), Edit(.relevel, 2), Edit(.add, 2))
        try await harness.push(next.archive())
        pages += try await harness.pages(since: pages[0].cursor, limit: 20)
        #expect(pages.count > 2 && pages.allSatisfy { $0.to == 1 && $0.from == nil })
        var replica = Replica()
        try replica.apply(pages)
        #expect(replica.features.mapValues(\.body) == venue.bodies)
        try replica.apply(await harness.pages(since: replica.cursor, limit: 3))
        #expect(replica.features.mapValues(\.body) == next.bodies)
    }

    @Test func `sync after a rollback sends what it changed and restores the earlier state`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let first = try await harness.sync()
        var replica = Replica()
        try replica.apply([first])
        let then = replica.features
        let next = venue.edited(Edit(.rename, 1))
        try await harness.push(next.archive())
        try replica.apply([try await harness.sync("since=\(first.cursor)")])
        #expect(replica.features != then)
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        let held = try #require(replica.cursor)
        let back = try await harness.sync("since=\(held)")
        #expect(back.from == 2 && back.to == 3 && back.digest == first.digest)
        #expect(back.blocks.count == 1 && back.blocks[0].features.count == 1)
        try replica.apply([back])
        #expect(replica.features == then)
        // A client of the first revision has nothing to fetch, because its bodies are equal.
        let skipped = try await harness.sync("since=\(first.cursor)")
        #expect(skipped.blocks.isEmpty && skipped.to == 3 && skipped.digest == first.digest)
        #expect(skipped.cursor == back.cursor)
        let states = try await harness.get(Venue.self, "/venues/mall").levels
        #expect(states.allSatisfy { replica.digest(of: $0.level) == $0.digest })
    }
}

/// A client that changes its selection of levels with every pull.
struct Client {
    var replica = Replica()

    mutating func pull(from harness: Harness, of history: [SampleVenue], using random: inout SplitMix64) async throws {
        let venue = try await harness.get(Venue.self, "/venues/mall")
        let values = Self.selection(of: history, using: &random)
        let limit = Bool.random(using: &random) ? nil : Int.random(in: 15...120, using: &random)
        let pages = try await harness.pages(since: self.replica.cursor, levels: values, limit: limit)
        try self.replica.apply(pages)

        let selection = try #require(LevelSelection(values: values))
        let selected = venue.levels.filter { state in
            guard let level = state.level else { return true }
            return selection.includes(level: level, ordinal: state.ordinal)
        }
        #expect(pages.last?.to == venue.head && pages.last?.digest == venue.digest)
        #expect(selected.allSatisfy { self.replica.digest(of: $0.level) == $0.digest }, "\(values)")
        #expect(self.replica.features.count == selected.reduce(0) { $0 + $1.features }, "\(values)")
        let held = self.replica.features
        #expect(held.values.allSatisfy { held in selected.contains { $0.level == held.level } })
        guard values.isEmpty, let state = history.last else { return }
        #expect(held.mapValues(\.body) == state.bodies)
        let digest = RevisionDigest.digest(
            venueWide: self.replica.digest(of: nil),
            levels: venue.levels.compactMap { state in state.level.map { (id: $0, digest: self.replica.digest(of: $0)) }
            },
            manifest: ArchiveManifest.content(of: state.manifest).map { CanonicalJSON.data(.object($0)) })
        #expect(digest == venue.digest)
    }

    /// Values of `level=`: everything, the venue-wide part, an ordinal, or some levels of any revision.
    private static func selection(of history: [SampleVenue], using random: inout SplitMix64) -> [String] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: return []
        case 2: return ["venue"]
        case 3: return ["ordinal:\(Int.random(in: -1...3, using: &random))", "\(FeatureID.random(using: &random))"]
        default:
            let levels = history.reduce(into: Set<FeatureID>()) { $0.formUnion($1.ids(of: .level)) }.sorted()
            let some = levels.filter { _ in Bool.random(using: &random) }
            return (some.isEmpty ? levels : some).map(\.description)
        }
    }
}
