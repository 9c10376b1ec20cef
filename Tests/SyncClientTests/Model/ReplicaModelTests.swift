import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// Replicas compared with the server, and with each other, after random publications, selections and crashes.
@Suite(.database)
struct ReplicaModelTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a replica equals the server's state and its updates add up to it, in every form and whatever happens`(
        seed: UInt64
    ) async throws {
        try await Harness.run { harness in
            var model = try await ReplicaModel(harness, seed: seed)
            for _ in 0..<14 { try await model.step() }
            try await model.end()
        }
    }
}

/// A venue, and replicas of it that differ only in the form of their requests. They see the same history: whatever happens to one happens to
/// all of them.
private struct ReplicaModel {
    private let harness: Harness
    private var random: SplitMix64
    private var venue: SampleVenue
    private var subjects: [Subject] = []
    private var selection = LevelSelection.everything
    private var crashes = 0

    private static let edits: [Edit] = [
        Edit(.rename, 2), Edit(.move, 2), Edit(.relevel, 2), Edit(.floor), Edit(.removeFloor), Edit(.add, 3),
        Edit(.remove, 2), Edit(.hours, 1), Edit(.retype, 1),
    ]

    init(_ harness: Harness, seed: UInt64) async throws {
        self.harness = harness
        self.random = SplitMix64(seed: seed)
        self.venue = SampleVenue(.init(levels: 3, unitsPerLevel: 5, seed: seed))
        try await harness.push(self.venue.archive())
        _ = try await harness.send(
            .patch, "/venues/mall", type: "application/json", body: Array("{\"removal_guard\":false}".utf8))
        for form in [VenueReplica.DeltaUse.never, .always, .automatic] {
            self.subjects.append(try await Subject(HarnessTransport(harness), form: form, pageLimit: 7))
        }
        try await self.observe()
    }

    private mutating func observe() async throws {
        let levels = try await self.harness.get(Venue.self, "/venues/mall").levels.compactMap(\.level)
        var parts: [RecordingObserver.Part] = [
            .everything, .venueWide, .ordinal(.random(in: 0...1, using: &self.random)),
        ]
        if let level = levels.randomElement(using: &self.random) { parts.append(.level(level)) }
        for index in self.subjects.indices { try await self.subjects[index].observe(parts) }
    }

    mutating func step() async throws {
        for _ in 0..<Int.random(in: 0...2, using: &self.random) { try await self.publish() }
        if Int.random(in: 0..<8, using: &self.random) == 0 {
            try await self.harness.store.renewEpoch(
                of: self.harness.store.venue(#require(VenueKey("mall"))), by: .ops)
        }
        if Bool.random(using: &self.random) { try await self.crash() }
        self.selection = try await self.randomSelection()
        var outcomes: [Subject.Outcome] = []
        for subject in self.subjects { outcomes.append(try await subject.select(self.selection)) }
        #expect(Set(outcomes).count == 1, "the outcome depends on the form")
        try await self.check()
        for index in self.subjects[0].observers.indices where Bool.random(using: &self.random) {
            for subject in self.subjects.indices { try await self.subjects[subject].receive(index) }
        }
    }

    /// Every observer receives the rest.
    mutating func end() async throws {
        #expect(self.crashes > 0)
        for subject in self.subjects.indices {
            for index in self.subjects[subject].observers.indices { try await self.subjects[subject].receive(index) }
            try await self.subjects[subject].end()
        }
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

    /// Often the same, because the form may depend on that.
    private mutating func randomSelection() async throws -> LevelSelection {
        let levels = try await self.harness.get(Venue.self, "/venues/mall").levels.compactMap(\.level)
        switch Int.random(in: 0..<8, using: &self.random) {
        case 0: return .everything
        case 1: return LevelSelection(names: [.venueWide])
        case 2: return LevelSelection(names: [.ordinal(.random(in: 0...1, using: &self.random))])
        case 3...5: return self.selection
        default:
            let some = levels.filter { _ in Bool.random(using: &self.random) }
            return LevelSelection(names: Set(some.map(LevelSelection.Name.level) + [.venueWide]))
        }
    }

    private func check() async throws {
        var expected = Replica()
        try expected.apply(try await self.harness.pages(levels: (self.selection.names ?? []).map(\.description)))
        for subject in self.subjects { try await subject.check(expected, self.selection) }
    }

    /// Breaks a connection while pages arrive, of all replicas. Or the app restarts afterwards, with new observers.
    private mutating func crash() async throws {
        let page = Int.random(in: 0...2, using: &self.random)
        let selection = try await self.randomSelection()
        var crashed: [Bool] = []
        for subject in self.subjects { crashed.append(try await subject.crash(onPage: page, selection)) }
        #expect(Set(crashed).count == 1, "the number of pages depends on the form")
        guard crashed[0] else {
            self.selection = selection
            return
        }
        self.crashes += 1
        guard Bool.random(using: &self.random) else { return }
        let pageLimit = Int.random(in: 1...40, using: &self.random)
        for index in self.subjects.indices { try await self.subjects[index].restart(pageLimit: pageLimit) }
        try await self.observe()
    }
}

/// One of the replicas, and observers of it.
private struct Subject {
    /// What has to be equal in all forms.
    struct Outcome: Hashable {
        let changes: SyncReport.Changes
        let hasStartedOver: Bool
        let dropped: [FeatureID]
        let state: ConformanceCase.Held
    }

    private let form: VenueReplica.DeltaUse
    private let transport: HarnessTransport
    private var replica: VenueReplica
    private(set) var observers: [RecordingObserver] = []

    init(_ transport: HarnessTransport, form: VenueReplica.DeltaUse, pageLimit: Int) async throws {
        self.form = form
        self.transport = transport
        self.replica = try await Self.open(transport, form, pageLimit: pageLimit)
    }

    private static func open(
        _ transport: HarnessTransport, _ form: VenueReplica.DeltaUse, pageLimit: Int
    ) async throws -> VenueReplica {
        let mall = try #require(VenueKey("mall"))
        let address = try #require(URL(string: HarnessTransport.address))
        var policy = RetryPolicy()
        policy.attempts = 1
        let replica = VenueReplica(
            store: try await .open(transport.folder.file, for: mall), venue: mall,
            server: try ServerAddress(address, key: Harness.adminKey), transport: transport, policy: policy,
            pageLimit: pageLimit)
        await replica.use(delta: form)
        return replica
    }

    mutating func restart(pageLimit: Int) async throws {
        try await self.replica.close()
        self.replica = try await Self.open(self.transport, self.form, pageLimit: pageLimit)
    }

    mutating func observe(_ parts: [RecordingObserver.Part]) async throws {
        self.observers = []
        for part in parts { self.observers.append(try await RecordingObserver(part, on: self.replica)) }
    }

    func select(_ selection: LevelSelection) async throws -> Outcome {
        let report = try await self.replica.select(selection)
        // The server is correct, so nothing has to be repaired.
        #expect(report.repaired.isEmpty)
        return Outcome(
            changes: report.changes, hasStartedOver: report.hasStartedOver, dropped: report.dropped,
            state: try await self.replica.store.held())
    }

    /// Receives an update if there is one, and compares what the observer knows with the replica.
    mutating func receive(_ index: Int) async throws {
        let observed = self.observers[index].observed(of: try await ReplicaContent(self.replica.store))
        if observed != self.observers[index].held { _ = try await self.observers[index].receive(from: self.replica) }
        #expect(self.observers[index].held == observed, "\(self.observers[index].part)")
    }

    func check(_ expected: Replica, _ selection: LevelSelection) async throws {
        let (state, features) = try await self.replica.store.read { (try $0.state(), try $0.features()) }
        #expect(state.cursor == expected.cursor?.description && state.selection == selection)
        #expect(features.count == expected.features.count)
        for feature in features {
            #expect(expected.features[feature.id] == .init(level: feature.level, body: feature.body), "\(feature.id)")
        }
        #expect(try await self.replica.store.damagedLevels().isEmpty)
    }

    /// Breaks the connection at the request for a page. The replica has to keep its old state, and so does a copy of the file from that
    /// moment, as after a power failure.
    ///
    /// - Returns: Whether there were so many requests.
    func crash(onPage page: Int, _ selection: LevelSelection) async throws -> Bool {
        let before = try await self.replica.store.held()
        let file = self.transport.folder.file
        let copy = try Folder()
        for _ in 0..<page { self.transport.before { _ in } }
        self.transport.before { _ in
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.file.path + suffix)
            }
            throw ScriptedTransport.Broken()
        }
        var hasFailed = false
        do {
            _ = try await self.replica.select(selection)
        } catch {
            hasFailed = true
        }
        self.transport.forgetHooks()
        guard hasFailed else { return false }
        #expect(try await self.replica.store.held() == before)
        #expect(try await ReplicaStore.open(copy.file).held() == before)
        return true
    }

    func end() async throws {
        // The server is correct, so the replica never has to fall back to the plain form.
        #expect(self.transport.fallbackCount == 0)
        #expect((self.transport.deltaRequestCount > 0) == (self.form != .never))
        try await self.replica.close()
    }
}
