import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import RevisionStore
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// Replicas of a venue to which everything happens, on devices to which everything happens.
@Suite(.database)
struct ReplicaModelTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `whatever happens, a replica is what the server says, and its news are what happened`(seed: UInt64)
        async throws
    {
        try await Harness.run { harness in
            var model = try await ReplicaModel(harness, seed: seed)
            for _ in 0..<14 { try await model.step() }
            try await model.end()
        }
    }
}

/// A venue, a device with a replica of it, and those who watch that.
private struct ReplicaModel {
    private let harness: Harness
    private let transport: HarnessTransport
    private var random: SplitMix64
    private var venue: SampleVenue
    private var replica: VenueReplica
    private var watchers: [Watcher] = []
    private var crashes = 0

    private static let edits: [Edit] = [
        Edit(.rename, 2), Edit(.move, 2), Edit(.relevel, 2), Edit(.floor), Edit(.removeFloor), Edit(.add, 3),
        Edit(.remove, 2), Edit(.hours, 1), Edit(.retype, 1),
    ]

    init(_ harness: Harness, seed: UInt64) async throws {
        self.harness = harness
        self.random = SplitMix64(seed: seed)
        self.transport = try HarnessTransport(harness)
        self.venue = SampleVenue(.init(levels: 3, unitsPerLevel: 5, seed: seed))
        try await harness.push(self.venue.archive())
        _ = try await harness.send(
            .patch, "/venues/mall", type: "application/json", body: Array("{\"removal_guard\":false}".utf8))
        self.replica = try await Self.open(self.transport.folder.file, self.transport, pageLimit: 7)
        try await self.watch()
    }

    private static func open(_ file: URL, _ transport: HarnessTransport, pageLimit: Int) async throws -> VenueReplica {
        let mall = try #require(VenueKey("mall"))
        let address = try #require(URL(string: HarnessTransport.address))
        return VenueReplica(
            store: try await .open(file, for: mall), venue: mall,
            server: try ServerAddress(address, key: Harness.adminKey), transport: transport, policy: Self.hasty,
            pageLimit: pageLimit)
    }

    private static var hasty: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }

    private mutating func watch() async throws {
        let levels = try await self.replica.store.levels().compactMap(\.level)
        self.watchers = [
            try await Watcher(.everything, on: self.replica),
            try await Watcher(.level(levels.randomElement(using: &self.random)), on: self.replica),
            try await Watcher(.level(nil), on: self.replica),
        ]
    }

    mutating func step() async throws {
        for _ in 0..<Int.random(in: 0...2, using: &self.random) { try await self.publish() }
        if Int.random(in: 0..<8, using: &self.random) == 0 {
            try await self.harness.store.renewEpoch(
                of: self.harness.store.venue(#require(VenueKey("mall"))), by: .ops)
        }
        if Bool.random(using: &self.random) { try await self.crash() }
        let wanted = try await self.wish()
        let report = try await self.replica.sync(levels: wanted)
        // The server does not lie, so nothing is to be mended.
        #expect(report.repaired.isEmpty)
        try await self.check(wanted)
        for index in self.watchers.indices where Bool.random(using: &self.random) { try await self.hear(index) }
    }

    /// Everybody hears the rest.
    mutating func end() async throws {
        for index in self.watchers.indices { try await self.hear(index) }
        #expect(self.crashes > 0)
        try await self.replica.close()
    }

    /// Hears news if there are any, and compares what is known then with what is held.
    private mutating func hear(_ index: Int) async throws {
        let features = try await self.replica.store.read { try $0.features() }
        let share = self.watchers[index].share(of: features)
        if share != self.watchers[index].held { _ = try await self.watchers[index].hear() }
        #expect(self.watchers[index].held == share, "\(self.watchers[index].scope)")
    }

    /// An upload, or a rollback to any revision that is kept.
    private mutating func publish() async throws {
        let head = try await self.harness.get(Venue.self, "/venues/mall").head
        if Int.random(in: 0..<4, using: &self.random) == 0 {
            let target = Int64.random(in: 1...head, using: &self.random)
            _ = try await self.harness.send(
                .post, "/venues/mall/rollback", type: "application/json", body: Array("{\"to\":\(target)}".utf8))
            return
        }
        for _ in 0..<Int.random(in: 1...2, using: &self.random) {
            _ = self.venue.apply(Self.edits.randomElement(using: &self.random) ?? Edit(.rename, 1), using: &self.random)
        }
        try await self.harness.push(self.venue.archive(), query: "?identity=trust")
    }

    private mutating func wish() async throws -> LevelSelection {
        let levels = try await self.harness.get(Venue.self, "/venues/mall").levels.compactMap(\.level)
        switch Int.random(in: 0..<5, using: &self.random) {
        case 0: return .everything
        case 1: return LevelSelection(names: [.venueWide])
        case 2: return LevelSelection(names: [.ordinal(.random(in: 0...1, using: &self.random))])
        default:
            let some = levels.filter { _ in Bool.random(using: &self.random) }
            return LevelSelection(names: Set(some.map(LevelSelection.Name.level) + [.venueWide]))
        }
    }

    private func check(_ wanted: LevelSelection) async throws {
        var truth = Replica()
        try truth.apply(try await self.harness.pages(levels: (wanted.names ?? []).map(\.description)))
        let (state, features) = try await self.replica.store.read { (try $0.state(), try $0.features()) }
        #expect(state.cursor == truth.cursor?.description && state.selection == wanted)
        #expect(features.count == truth.features.count)
        for feature in features {
            #expect(truth.features[feature.id] == .init(level: feature.level, body: feature.body), "\(feature.id)")
        }
        #expect(try await self.replica.store.damagedLevels().isEmpty)
    }

    /// The power fails while pages come: what was on the disk at that moment is the old state. Or the connection breaks, and then
    /// what is open is the old state too.
    private mutating func crash() async throws {
        let before = try await self.replica.store.held()
        let file = self.transport.folder.file
        let copy = try Folder()
        let page = Int.random(in: 0...2, using: &self.random)
        for _ in 0..<page { self.transport.before { _ in } }
        self.transport.before { _ in
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.file.path + suffix)
            }
            throw ScriptedTransport.Broken()
        }
        let wanted = try await self.wish()
        let outcome = await Self.outcome { _ = try await self.replica.sync(levels: wanted) }
        self.transport.forgetHooks()
        guard outcome != nil else { return }
        self.crashes += 1
        #expect(try await self.replica.store.held() == before)
        #expect(try await ReplicaStore.open(copy.file).held() == before)
        // Or the program is started anew, and watched by others.
        guard Bool.random(using: &self.random) else { return }
        try await self.replica.close()
        self.replica = try await Self.open(file, self.transport, pageLimit: .random(in: 1...40, using: &self.random))
        try await self.watch()
    }

    private static func outcome(_ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }
}
