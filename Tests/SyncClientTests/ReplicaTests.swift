import Foundation
import HTTPTypes
import IMDF
import Ingestion
import SampleVenue
import SyncClient
import SyncModel
import Synchronization
import TestSupport
import Testing

/// The use of a replica by an app, with the real server.
@Suite(.database)
struct ReplicaTests {
    private static func open(
        _ transport: HarnessTransport, policy: RetryPolicy = RetryPolicy(), pageLimit: Int = 50_000
    ) async throws -> VenueReplica {
        let mall = try #require(VenueKey("mall"))
        let address = try #require(URL(string: HarnessTransport.address))
        return VenueReplica(
            store: try await .open(transport.folder.file, for: mall), venue: mall,
            server: try ServerAddress(address, key: Harness.adminKey), transport: transport, policy: policy,
            pageLimit: pageLimit)
    }

    @Test func `a replica selects and drops levels, and is read without a network`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 3, unitsPerLevel: 5)).archive())
            let transport = try HarnessTransport(harness)
            let replica = try await Self.open(transport)
            let first = try await replica.select(.levels([.venueWide]))
            #expect(first.from == nil && first.to == 1 && first.requests == 1 && first.hasCommitted)
            let floors = try await replica.store.features(on: nil, type: .level)
            #expect(!floors.isEmpty && floors.allSatisfy { $0.level == nil })
            #expect(try await replica.store.levels().count == 1)

            let floor = try #require(floors.first?.id)
            #expect(try await replica.add(.level(floor)).requests == 1)
            let units = try await replica.store.features(on: floor, type: .unit)
            #expect(!units.isEmpty && units.allSatisfy { $0.type == .unit && $0.level == floor })
            #expect(try await replica.store.feature(units[0].id) == units[0])
            #expect(try await replica.sync().hasCommitted == false)

            let other = try #require(floors.last?.id)
            try await replica.add(.level(other))
            try await replica.drop(.level(floor))
            #expect(try await replica.store.levels().map(\.level) == [nil, other])
            #expect(try await replica.store.feature(units[0].id) == nil)
            try await replica.close()

            let offline = try await ReplicaStore.open(transport.folder.file)
            #expect(try await offline.levels().map(\.level) == [nil, other])
            #expect(try await offline.state().selection == LevelSelection(names: [.venueWide, .level(other)]))
            #expect(try await offline.state().about.country == "JP")
        }
    }

    @Test func `drop replaces everything, or a shared ordinal, by the other levels`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 2, unitsPerLevel: 5)).archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.sync()
            let levels = try await replica.store.levels()
            let shared = try #require(
                levels.first { level in levels.filter { $0.ordinal == level.ordinal }.count > 1 && level.level != nil })
            let dropped = try #require(shared.level)
            try await replica.drop(.level(dropped))
            let rest = Set(levels.map(\.level)).subtracting([dropped])
            #expect(try await Set(replica.store.levels().map(\.level)) == rest)

            let ordinal = try #require(shared.ordinal)
            try await replica.select(.levels([.ordinal(ordinal)]))
            let peers = levels.filter { $0.ordinal == ordinal && $0.level != dropped }.map(\.level)
            try await replica.drop(.level(dropped))
            #expect(try await Set(replica.store.levels().map(\.level)) == Set(peers + [nil]))
            try await replica.drop(.ordinal(ordinal))
            #expect(try await replica.store.levels().map(\.level) == [nil])
        }
    }

    @Test func `concurrent calls run one after the other`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 4, unitsPerLevel: 5)).archive())
            let replica = try await Self.open(HarnessTransport(harness), pageLimit: 9)
            try await replica.select(.levels([.venueWide]))
            let floors = try await replica.store.features(on: nil, type: .level).map(\.id)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for floor in floors {
                    tasks.addTask { try await replica.add(.level(floor)) }
                    tasks.addTask { try await replica.sync() }
                }
                try await tasks.waitForAll()
            }
            #expect(try await Set(replica.store.levels().compactMap(\.level)) == Set(floors))
            #expect(try await replica.store.damagedLevels().isEmpty)
        }
    }

    @Test func `a reader sees no revision that is still being written`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 2, unitsPerLevel: 5)).archive())
            let transport = try HarnessTransport(harness)
            let replica = try await Self.open(transport, pageLimit: 6)
            let file = transport.folder.file
            let other = try await ReplicaStore.open(file)
            let counts = Mutex<[Int]>([])
            for _ in 0..<4 {
                transport.before { _ in
                    let newcomer = try await ReplicaStore.open(file)
                    for store in [other, newcomer] {
                        let count = try await store.read { try $0.features().count }
                        counts.withLock { $0.append(count) }
                    }
                }
            }
            try await replica.sync()
            #expect(counts.withLock { $0 } == Array(repeating: 0, count: 8))
            #expect(try await other.read { try $0.features().count } > 20)
        }
    }

    @Test func `two processes share a file, and observers get a snapshot after the other has written`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let transport = try HarnessTransport(harness)
            let (one, two) = (try await Self.open(transport), try await Self.open(transport))
            try await one.sync()
            var observer = try await RecordingObserver(.everything, on: one)
            #expect(try await two.sync().hasCommitted == false)
            for _ in 0..<2 {
                _ = venue.apply([Edit(.rename, 2), Edit(.remove, 1)], seed: 3)
                try await harness.push(venue.archive(), query: "?identity=trust")
                try await two.sync()
            }
            _ = venue.apply([Edit(.rename, 1)], seed: 9)
            try await harness.push(venue.archive(), query: "?identity=trust")
            try await one.sync()
            let update = try await observer.receive(from: one)
            #expect(update?.isSnapshot == true && update?.revision == 4)
            #expect(observer.held == observer.observed(of: try await ReplicaContent(one.store)))
        }
    }

    @Test func `a slow observer gets the net difference`() async throws {
        try await Harness.run { harness in
            let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.sync()
            var slow = try await replica.changes(on: .everything, from: .now).makeAsyncIterator()
            var quick = try await RecordingObserver(.everything, on: replica)
            var next = venue
            for seed in 1...3 as ClosedRange<UInt64> {
                _ = next.apply([Edit(.rename, 3), Edit(.add, 1), Edit(.relevel, 1)], seed: seed)
                try await harness.push(next.archive(), query: "?identity=trust")
                try await replica.sync()
                _ = try await quick.receive(from: replica)
            }
            let update = try #require(try await slow.next())
            #expect(update.revision == 4 && !update.isSnapshot)
            #expect(Set(update.changes.map(\.id)).count == update.changes.count)
            // Changes that were reverted in the meantime are not reported.
            try await harness.rollBack(to: 1)
            try await replica.sync()
            try await harness.rollBack(to: 4)
            try await replica.sync()
            try await harness.rollBack(to: 1)
            try await replica.sync()
            let back = try #require(try await slow.next())
            #expect(Set(back.changes.map(\.id)) == Set(update.changes.map(\.id)))
            _ = try await quick.receive(from: replica)
            #expect(quick.held == quick.observed(of: try await ReplicaContent(replica.store)))
        }
    }

    @Test func `observation ends when the replica is closed or the task is cancelled`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 1, unitsPerLevel: 5)).archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.sync()
            let changes = try await replica.changes(on: .everything, from: .now)
            let cancelled = Task { try await Self.count(changes) }
            try await harness.until { replica.waitingObservers == 1 }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            let ended = Task { try await Self.count(try await replica.changes(on: .everything)) }
            try await harness.until { replica.waitingObservers == 1 }
            try await replica.close()
            #expect(try await ended.value == 1)
        }
    }

    private static func count(_ changes: ReplicaChanges) async throws -> Int {
        var count = 0
        for try await _ in changes { count += 1 }
        return count
    }

    @Test func `follow applies publications, and add does not wait for its long poll`() async throws {
        try await Harness.withChangeNotifier { harness in
            var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.select(.levels([.venueWide]))
            let follower = Task { try await replica.follow() }
            try await harness.untilWaiting(1)
            let floor = try #require(try await replica.store.features(on: nil, type: .level).first?.id)
            try await replica.add(.level(floor))
            #expect(try await replica.store.levels().map(\.level) == [nil, floor])
            _ = venue.apply([Edit(.floor)], seed: 1)
            try await harness.push(venue.archive())
            try await harness.until { try await replica.store.state().revision == 2 }
            follower.cancel()
            await #expect(throws: CancellationError.self) { try await follower.value }
        }
    }

    @Test func `the uploader sends a file and waits for the outcome`() async throws {
        try await Harness.run { harness in
            let transport = try HarnessTransport(harness)
            let file = transport.folder.url.appending(path: "mall.zip")
            try Data(try SampleVenue(.init(levels: 1, unitsPerLevel: 5)).archive()).write(to: file)
            let address = try #require(URL(string: HarnessTransport.address))
            let uploader = VenueUploader(
                server: try ServerAddress(address, key: Harness.adminKey), transport: transport)
            let mall = try #require(VenueKey("mall"))
            await #expect(throws: SyncError.unknownVenue) { try await uploader.send(file, to: mall) }
            var options = VenueUploader.Options()
            options.createsVenue = true
            options.message = "Opening day & more"
            let sent = Mutex<Int64>(0)
            let receipt = try await uploader.send(file, to: mall, options: options) { progress in
                if case .sent(let bytes, let all) = progress, bytes == all { sent.withLock { $0 = bytes } }
            }
            #expect(receipt.state == .received && receipt.bytes == sent.withLock { $0 })
            while try await harness.worker.workOnce() {}
            let upload = try await uploader.outcome(of: receipt.id)
            #expect(upload.state == .published && upload.message == "Opening day & more")
        }
    }
}

extension Harness {
    fileprivate func rollBack(to revision: Int) async throws {
        let answer = try await self.send(
            .post, "/venues/mall/rollback", type: "application/json", body: Array("{\"to\":\(revision)}".utf8))
        #expect(answer.status == .created)
    }
}
