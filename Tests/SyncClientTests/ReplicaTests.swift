import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import Ingestion
import SampleVenue
import SyncClient
import SyncModel
import Synchronization
import TestSupport
import Testing

/// What an app does with a replica, against the real server.
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

    @Test func `a level picker, a floor, another floor instead, and all of it without a network`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 3, unitsPerLevel: 5)).archive())
            let transport = try HarnessTransport(harness)
            let replica = try await Self.open(transport)
            let first = try await replica.sync(levels: .levels([.venueWide]))
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

    @Test func `a level is dropped from everything and from an ordinal that names several`() async throws {
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
            try await replica.sync(levels: .levels([.ordinal(ordinal)]))
            let peers = levels.filter { $0.ordinal == ordinal && $0.level != dropped }.map(\.level)
            try await replica.drop(.level(dropped))
            #expect(try await Set(replica.store.levels().map(\.level)) == Set(peers + [nil]))
            try await replica.drop(.ordinal(ordinal))
            #expect(try await replica.store.levels().map(\.level) == [nil])
        }
    }

    @Test func `calls at once go one after the other, and none is lost`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 4, unitsPerLevel: 5)).archive())
            let replica = try await Self.open(HarnessTransport(harness), pageLimit: 9)
            try await replica.sync(levels: .levels([.venueWide]))
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

    @Test func `who opens the file beside a writer sees whole revisions only`() async throws {
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

    @Test func `two programs with one file: each sees what the other wrote, and observers begin anew`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let transport = try HarnessTransport(harness)
            let (one, two) = (try await Self.open(transport), try await Self.open(transport))
            try await one.sync()
            var watcher = try await Watcher(.everything, on: one)
            #expect(try await two.sync().hasCommitted == false)
            for _ in 0..<2 {
                _ = venue.apply([Edit(.rename, 2), Edit(.remove, 1)], seed: 3)
                try await harness.push(venue.archive(), query: "?identity=trust")
                try await two.sync()
            }
            _ = venue.apply([Edit(.rename, 1)], seed: 9)
            try await harness.push(venue.archive(), query: "?identity=trust")
            try await one.sync()
            let news = try await watcher.hear()
            #expect(news?.isFromNothing == true && news?.revision == 4)
            #expect(watcher.held == watcher.share(of: try await one.store.read { try $0.features() }))
        }
    }

    @Test func `a slow observer is told the net difference`() async throws {
        try await Harness.run { harness in
            let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.sync()
            var slow = try await replica.changes(on: .everything, from: .now).makeAsyncIterator()
            var quick = try await Watcher(.everything, on: replica)
            var next = venue
            for seed in 1...3 as ClosedRange<UInt64> {
                _ = next.apply([Edit(.rename, 3), Edit(.add, 1), Edit(.relevel, 1)], seed: seed)
                try await harness.push(next.archive(), query: "?identity=trust")
                try await replica.sync()
                _ = try await quick.hear()
            }
            let news = try #require(try await slow.next())
            #expect(news.revision == 4 && !news.isFromNothing)
            #expect(Set(news.changes.map(\.id)).count == news.changes.count)
            // What went back is no news.
            try await harness.rollBack(to: 1)
            try await replica.sync()
            try await harness.rollBack(to: 4)
            try await replica.sync()
            try await harness.rollBack(to: 1)
            try await replica.sync()
            let back = try #require(try await slow.next())
            #expect(Set(back.changes.map(\.id)) == Set(news.changes.map(\.id)))
            _ = try await quick.hear()
            #expect(quick.held == quick.share(of: try await replica.store.read { try $0.features() }))
        }
    }

    @Test func `observation ends with the replica, and with the task`() async throws {
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

    @Test func `following applies what is published, and adding a level meanwhile does not wait`() async throws {
        try await Harness.withChangeNotifier { harness in
            var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.sync(levels: .levels([.venueWide]))
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

    @Test func `an archive is uploaded as it is read, and its outcome awaited`() async throws {
        try await Harness.run { harness in
            let transport = try HarnessTransport(harness)
            let file = transport.folder.url.appending(path: "mall.zip")
            try Data(try SampleVenue(.init(levels: 1, unitsPerLevel: 5)).archive()).write(to: file)
            let address = try #require(URL(string: HarnessTransport.address))
            let uploader = VenueUploader(
                server: try ServerAddress(address, key: Harness.adminKey), transport: transport)
            let mall = try #require(VenueKey("mall"))
            await #expect(throws: SyncError.unknownVenue) { try await uploader.send(file, to: mall) }
            var wishes = VenueUploader.Wishes()
            wishes.createsVenue = true
            wishes.message = "Opening day & more"
            let sent = Mutex<Int64>(0)
            let receipt = try await uploader.send(file, to: mall, wishes: wishes) { progress in
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
