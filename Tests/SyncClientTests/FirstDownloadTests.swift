import Foundation
import GRDB
import GRDBSQLite
import IMDF
import SyncModel
import Synchronization
import Testing

@testable import SyncClient

/// A full snapshot that is written to an empty file: its digests are those of the received bodies, the next page is received meanwhile,
/// and the log of SQLite is copied afterwards.
struct FirstDownloadTests {
    private typealias Snapshot = ScriptedSnapshot

    private static func replica(_ folder: Folder, _ transport: ScriptedTransport) async throws -> VenueReplica {
        let address = try #require(URL(string: "https://maps.example"))
        let mall = try #require(VenueKey("mall"))
        var policy = RetryPolicy()
        policy.attempts = 1
        return try await .open(
            folder.file, server: address, venue: mall, key: nil, transport: transport, policy: policy)
    }

    private static func expectEmpty(
        _ replica: VenueReplica, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await replica.store.state().revision == nil, sourceLocation: sourceLocation)
        #expect(try await replica.store.levels().isEmpty, sourceLocation: sourceLocation)
        #expect(try await replica.store.read { try $0.features().isEmpty }, sourceLocation: sourceLocation)
    }

    private static let twoPages = [
        Snapshot.page([.init(nil, [Snapshot.unit(1)])], cursor: "one", isLast: false),
        Snapshot.page([.init(1, [Snapshot.unit(2)])], cursor: "two", isLast: true),
    ]

    @Test func `first download: bodies in any order, and a level in parts, are verified`() async throws {
        let bodies = (1...7).map { Snapshot.unit($0) }
        let whole = Snapshot.digest(of: [bodies[3], bodies[5], bodies[6]])
        let folder = try Folder()
        let transport = ScriptedTransport([
            Snapshot.page(
                [
                    .init(nil, [bodies[2], bodies[0], bodies[1]]), .init(1, []),
                    .init(2, part: [bodies[6], bodies[3]], isContinued: false, digest: nil),
                ], cursor: "one", isLast: false),
            Snapshot.page(
                [.init(2, part: [bodies[5]], isContinued: true, digest: whole), .init(3, [bodies[4]])], cursor: "two",
                isLast: true),
        ])
        let replica = try await Self.replica(folder, transport)
        let report = try await replica.sync()
        #expect(report.repaired.isEmpty && report.requests == 2 && report.changes.added == 7 && transport.left == 0)
        #expect(try await replica.store.damagedLevels().isEmpty)
        #expect(try await replica.store.levels().map(\.features) == [3, 0, 3, 1])
        #expect(
            try await replica.store.features(on: Snapshot.level(2)).map(\.body)
                == [3, 5, 6].map { Array(bodies[$0].utf8) })
    }

    /// Digests of received bodies do not show that a feature was received twice.
    @Test(arguments: [
        [Snapshot.Block(1, [Snapshot.unit(1), Snapshot.unit(1, "again")]), .init(2, [])],
        [.init(1, [Snapshot.unit(1)]), .init(2, [Snapshot.unit(1, "again")])],
    ])
    func `first download: a duplicate feature is found although every list of bodies has its digest`(
        levels: [ScriptedSnapshot.Block]
    ) async throws {
        let folder = try Folder()
        let transport = ScriptedTransport([
            Snapshot.page([.init(nil, [Snapshot.unit(2)])], cursor: "one", isLast: false),
            Snapshot.page(levels, cursor: "two", isLast: true), Snapshot.features(levels[0].bodies),
        ])
        let replica = try await Self.replica(folder, transport)
        let error = await #expect(throws: SyncError.self) { try await replica.sync() }
        let lost = Snapshot.level(levels[1].bodies.isEmpty ? 1 : 2)
        #expect(error == .wrongDigest(level: lost) && transport.left == 0)
        try await Self.expectEmpty(replica)
    }

    @Test(arguments: [[], [ScriptedSnapshot.unit(1, "wrong")]])
    func `first download: a level that is fetched again cannot take a feature from another one`(received: [String])
        async throws
    {
        let folder = try Folder()
        let bodies = [Snapshot.unit(1), Snapshot.unit(2)]
        let first = Snapshot.Block(1, part: received, isContinued: false, digest: Snapshot.digest(of: bodies))
        let transport = ScriptedTransport([
            Snapshot.page([.init(nil, []), first, .init(2, [bodies[1]])], cursor: "one", isLast: true),
            Snapshot.features(bodies),
        ])
        let replica = try await Self.replica(folder, transport)
        await #expect(throws: SyncError.wrongDigest(level: Snapshot.level(2))) { try await replica.sync() }
        #expect(transport.left == 0)
        try await Self.expectEmpty(replica)
    }

    @Test(arguments: [true, false])
    func `first download: a wrong digest on the last page is repaired, or leaves the file empty`(isRepaired: Bool)
        async throws
    {
        let folder = try Folder()
        let wrong = Snapshot.Block(
            1, part: [Snapshot.unit(2)], isContinued: false, digest: Snapshot.digest(of: [Snapshot.unit(3)]))
        let transport = ScriptedTransport([
            Self.twoPages[0], Snapshot.page([wrong], cursor: "two", isLast: true),
            Snapshot.features([Snapshot.unit(isRepaired ? 3 : 2)]),
        ])
        let replica = try await Self.replica(folder, transport)
        if isRepaired {
            #expect(try await replica.sync().repaired == [Snapshot.level(1)])
            #expect(
                try await replica.store.read { try $0.features() }.map(\.id.description) == [1, 3].map(Snapshot.id))
            #expect(try await replica.store.damagedLevels().isEmpty)
        } else {
            await #expect(throws: SyncError.wrongDigest(level: Snapshot.level(1))) { try await replica.sync() }
            try await Self.expectEmpty(replica)
        }
    }

    @Test func `first download: no page is requested after one that is not valid`() async throws {
        let folder = try Folder()
        let first = Snapshot.page([.init(nil, ["{}"])], cursor: "one", isLast: false)
        let transport = ScriptedTransport([first, Self.twoPages[1]])
        let replica = try await Self.replica(folder, transport)
        await #expect(throws: SyncError.malformed("not a feature: {}")) { try await replica.sync() }
        #expect(transport.takeRequests().count == 1)
        try await Self.expectEmpty(replica)
    }

    @Test func `first download: cancellation ends the request for the next page, and nothing is stored`() async throws {
        let folder = try Folder()
        let (waiting, wait) = AsyncStream.makeStream(of: Void.self)
        var second = Self.twoPages[1]
        second.before = {
            wait.yield()
            try await Task.sleep(for: .seconds(60))
        }
        let transport = ScriptedTransport([Self.twoPages[0], second])
        let replica = try await Self.replica(folder, transport)
        let sync = Task { try await replica.sync() }
        for await _ in waiting { break }
        sync.cancel()
        await #expect(throws: CancellationError.self) { try await sync.value }
        try await Self.expectEmpty(replica)
        transport.reply(Self.twoPages)
        #expect(try await replica.sync().changes.added == 2)
    }

    @Test func `first download: a page that cannot be written cancels the request for the next one`() async throws {
        let folder = try Folder()
        let large = Snapshot.page(
            [.init(nil, [Snapshot.unit(1, String(repeating: "x", count: 1 << 20))])], cursor: "one", isLast: false)
        let isCancelled = Mutex(false)
        var second = Self.twoPages[1]
        second.before = {
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                isCancelled.withLock { $0 = true }
                throw error
            }
        }
        let replica = try await Self.replica(folder, ScriptedTransport([large, second]))
        try await replica.store.limitSize(toPages: 1)
        await #expect(throws: SyncError.diskFull) { try await replica.sync() }
        #expect(isCancelled.withLock { $0 })
        try await Self.expectEmpty(replica)
    }
}

/// The log of SQLite after a first download.
extension FirstDownloadTests {
    private static func size(_ file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? Int) ?? 0
    }

    private static func log(of file: URL) -> URL { URL(filePath: file.path + "-wal") }

    private static let largePage = ScriptedSnapshot.page(
        [.init(nil, (1...9).map { Snapshot.unit($0, String(repeating: "x", count: 1 << 18)) })], cursor: "one",
        isLast: true)

    @Test func `first download: its log is copied into the file and shortened`() async throws {
        let folder = try Folder()
        let replica = try await Self.replica(folder, ScriptedTransport([Self.largePage]))
        try await replica.sync()
        // Runs on the connection that writes, so after what was scheduled there.
        try await replica.store.limitSize(toPages: nil)
        #expect(Self.size(folder.file) > 9 << 18)
        // Not empty: then opening the file would need the lock of the writer.
        #expect((1..<1 << 17).contains(Self.size(Self.log(of: folder.file))))
        #expect(try await replica.store.damagedLevels().isEmpty)
    }

    @Test func `first download: its log waits for no reader, and is read after the process was killed`() async throws {
        let folder = try Folder()
        let replica = try await Self.replica(folder, ScriptedTransport([Self.largePage]))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder.file.path, configuration: configuration)
        let count = "SELECT count(*) FROM feature"
        try await reader.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN")
            #expect(try Int.fetchOne(db, sql: count) == 0)
        }
        // Called when the connection that writes would wait for a lock.
        let waits = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        waits.initialize(to: 0)
        defer { waits.deallocate() }
        let address = Int(bitPattern: waits)
        try await replica.store.pool.writeWithoutTransaction { db in
            _ = sqlite3_busy_handler(
                db.sqliteConnection,
                { context, _ in
                    context?.assumingMemoryBound(to: Int32.self).pointee += 1
                    return 0
                }, UnsafeMutableRawPointer(bitPattern: address))
        }
        try await replica.sync()
        try await replica.store.limitSize(toPages: nil)
        try await replica.store.pool.writeWithoutTransaction { db in
            _ = sqlite3_busy_timeout(db.sqliteConnection, 10_000)
        }
        #expect(waits.pointee == 0)
        #expect(Self.size(Self.log(of: folder.file)) > 9 << 18)
        try await reader.writeWithoutTransaction { db in
            #expect(try Int.fetchOne(db, sql: count) == 0)
            try db.execute(sql: "COMMIT")
            #expect(try Int.fetchOne(db, sql: count) == 9)
        }
        let copy = try Folder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file.path + suffix, toPath: copy.file.path + suffix)
        }
        let next = try await ReplicaStore.open(copy.file)
        #expect(try await next.held() == replica.store.held())
        #expect(try await next.damagedLevels().isEmpty)
    }
}
