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

/// A replica compared with the server after random publications, selections and crashes.
@Suite(.database)
struct ReplicaModelTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a replica equals the server's state and its updates add up to it, whatever happens`(seed: UInt64)
        async throws
    {
        try await self.run(seed: seed, delta: .always)
    }

    @Test(arguments: 0..<2 as Range<UInt64>)
    func `the same histories have the same outcome in the plain form`(seed: UInt64) async throws {
        try await self.run(seed: seed, delta: .never)
    }

    private func run(seed: UInt64, delta: VenueReplica.DeltaUse) async throws {
        try await Harness.run { harness in
            var model = try await ReplicaModel(harness, seed: seed, delta: delta)
            for _ in 0..<14 { try await model.step() }
            try await model.end()
        }
    }
}

/// A venue, a replica of it, and observers of the replica.
private struct ReplicaModel {
    private let harness: Harness
    private let transport: HarnessTransport
    private var random: SplitMix64
    private var venue: SampleVenue
    private var replica: VenueReplica
    private var observers: [RecordingObserver] = []
    private var crashes = 0
    private let delta: VenueReplica.DeltaUse

    private static let edits: [Edit] = [
        Edit(.rename, 2), Edit(.move, 2), Edit(.relevel, 2), Edit(.floor), Edit(.removeFloor), Edit(.add, 3),
        Edit(.remove, 2), Edit(.hours, 1), Edit(.retype, 1),
    ]

    init(_ harness: Harness, seed: UInt64, delta: VenueReplica.DeltaUse) async throws {
        self.harness = harness
        self.delta = delta
        self.random = SplitMix64(seed: seed)
        self.transport = try HarnessTransport(harness)
        self.venue = SampleVenue(.init(levels: 3, unitsPerLevel: 5, seed: seed))
        try await harness.push(self.venue.archive())
        _ = try await harness.send(
            .patch, "/venues/mall", type: "application/json", body: Array("{\"removal_guard\":false}".utf8))
        self.replica = try await Self.open(self.transport.folder.file, self.transport, pageLimit: 7, delta: delta)
        try await self.observe()
    }

    private static func open(
        _ file: URL, _ transport: HarnessTransport, pageLimit: Int, delta: VenueReplica.DeltaUse
    ) async throws -> VenueReplica {
        let mall = try #require(VenueKey("mall"))
        let address = try #require(URL(string: HarnessTransport.address))
        let replica = VenueReplica(
            store: try await .open(file, for: mall), venue: mall,
            server: try ServerAddress(address, key: Harness.adminKey), transport: transport, policy: Self.singleAttempt,
            pageLimit: pageLimit)
        await replica.use(delta: delta)
        return replica
    }

    private static var singleAttempt: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }

    private mutating func observe() async throws {
        let levels = try await self.harness.get(Venue.self, "/venues/mall").levels.compactMap(\.level)
        self.observers = [
            try await RecordingObserver(.everything, on: self.replica),
            try await RecordingObserver(.venueWide, on: self.replica),
            try await RecordingObserver(.ordinal(.random(in: 0...1, using: &self.random)), on: self.replica),
        ]
        if let level = levels.randomElement(using: &self.random) {
            self.observers.append(try await RecordingObserver(.level(level), on: self.replica))
        }
    }

    mutating func step() async throws {
        for _ in 0..<Int.random(in: 0...2, using: &self.random) { try await self.publish() }
        if Int.random(in: 0..<8, using: &self.random) == 0 {
            try await self.harness.store.renewEpoch(
                of: self.harness.store.venue(#require(VenueKey("mall"))), by: .ops)
        }
        if Bool.random(using: &self.random) { try await self.crash() }
        let selection = try await self.randomSelection()
        let report = try await self.replica.select(selection)
        // The server is correct, so nothing has to be repaired.
        #expect(report.repaired.isEmpty)
        try await self.check(selection)
        for index in self.observers.indices where Bool.random(using: &self.random) { try await self.receive(index) }
    }

    /// Every observer receives the rest.
    mutating func end() async throws {
        for index in self.observers.indices { try await self.receive(index) }
        #expect(self.crashes > 0)
        // The server is correct, so the replica never has to fall back to the plain form.
        #expect(self.transport.fallbackCount == 0)
        #expect((self.transport.deltaRequestCount > 0) == (self.delta == .always))
        try await self.replica.close()
    }

    /// Receives an update if there is one, and compares what the observer knows with the replica.
    private mutating func receive(_ index: Int) async throws {
        let observed = self.observers[index].observed(of: try await ReplicaContent(self.replica.store))
        if observed != self.observers[index].held { _ = try await self.observers[index].receive(from: self.replica) }
        #expect(self.observers[index].held == observed, "\(self.observers[index].part)")
    }

    /// Uploads, or rolls back to a random revision.
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

    private mutating func randomSelection() async throws -> LevelSelection {
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

    private func check(_ selection: LevelSelection) async throws {
        var expected = Replica()
        try expected.apply(try await self.harness.pages(levels: (selection.names ?? []).map(\.description)))
        let (state, features) = try await self.replica.store.read { (try $0.state(), try $0.features()) }
        #expect(state.cursor == expected.cursor?.description && state.selection == selection)
        #expect(features.count == expected.features.count)
        for feature in features {
            #expect(expected.features[feature.id] == .init(level: feature.level, body: feature.body), "\(feature.id)")
        }
        #expect(try await self.replica.store.damagedLevels().isEmpty)
    }

    /// Breaks a connection while pages arrive. The replica has to keep its old state, and so does a copy of the file from that moment,
    /// as after a power failure.
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
        let selection = try await self.randomSelection()
        let outcome = await Self.outcome { _ = try await self.replica.select(selection) }
        self.transport.forgetHooks()
        guard outcome != nil else { return }
        self.crashes += 1
        #expect(try await self.replica.store.held() == before)
        #expect(try await ReplicaStore.open(copy.file).held() == before)
        // Or the app restarts, with new observers.
        guard Bool.random(using: &self.random) else { return }
        try await self.replica.close()
        self.replica = try await Self.open(
            file, self.transport, pageLimit: .random(in: 1...40, using: &self.random), delta: self.delta)
        try await self.observe()
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
