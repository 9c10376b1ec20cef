import Foundation
import IMDF
import SyncClient
import SyncModel
import Synchronization
import Testing

/// ``VenueReplica/status`` with scripted replies and a clock that does not wait.
struct StatusTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let empty = "sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// A change set with these features of the venue-wide part.
    private static func page(
        _ cursor: String, from: Int?, to: Int, bodies: [String]? = nil, published: String? = nil
    ) -> ScriptedTransport.Reply {
        var digest = LevelDigest()
        for body in bodies ?? [] { Array(body.utf8).withUnsafeBytes { digest.add(body: $0) } }
        let block = """
            {"digest":"\(digest.finalize())","kind":"snapshot","level_id":null,"ordinal":null,"features":[
            \((bodies ?? []).joined(separator: ",\n"))
            ],"removed":[]}
            """
        let text = """
            {"about":{"country":null,"language":null,"time_zone":null},"complete":true,"cursor":"\(cursor)","digest":"\(Self.empty)",\
            "from":\(from.map(String.init) ?? "null"),"protocol":1,\
            \(published.map { "\"published_at\":\"\($0)\"," } ?? "")"to":\(to),"venue":"mall","levels":[
            \(bodies == nil ? "" : block)]}

            """
        return .init(body: Array(text.utf8))
    }

    private static let bodies = (1...3).map { number in
        #"{"feature_type":"building","geometry":null,"id":"00000000-0000-4000-8000-00000000000\#(number)","properties":{},"type":"Feature"}"#
    }
    private static let summary = ScriptedTransport.Reply(
        body: Array(
            """
            {"about":{"country":null,"language":null,"time_zone":null},"digest":"\(Self.empty)","first":1,"head":1,"id":null,\
            "level_count":0,"levels":[{"bytes":400,"digest":"\(Self.empty)","features":3,"level_id":null,"name":null,"ordinal":null,\
            "short_name":null}],"name":{"en":"Mall"},"public":true,"venue":"mall"}
            """.utf8))

    private static func open(
        _ folder: Folder, _ transport: ScriptedTransport, sleep: @escaping @Sendable () -> Void = {}
    ) async throws -> VenueReplica {
        var policy = RetryPolicy()
        policy.attempts = 1
        policy.randomFraction = { 0 }
        policy.now = { Self.now }
        policy.sleep = { _ in
            sleep()
            if transport.left == 0 { throw CancellationError() }
        }
        return try await VenueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), venue: #require(VenueKey("mall")),
            key: nil, transport: transport, policy: policy)
    }

    @Test func `follow reports a failure with the next attempt, and that it is current again`() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport()
        let seen = Mutex<[ReplicaStatus.Connection]>([])
        let holder = Mutex<VenueReplica?>(nil)
        let note: @Sendable () -> Void = {
            let status = holder.withLock { $0?.status }
            seen.withLock { $0 += [status?.connection].compactMap(\.self) }
        }
        let replica = try await Self.open(folder, transport, sleep: note)
        holder.withLock { $0 = replica }
        #expect(replica.status == ReplicaStatus(connection: .offline(nil), lastSync: nil, progress: nil))
        transport.reply([
            .init(body: Self.page("a", from: nil, to: 1, bodies: Self.bodies).body, before: { note() }),
            .init(status: 503, headers: ["retry-after": "7"]),
            .init(body: Self.page("a", from: 1, to: 1).body, before: { note() }),
            .init(body: Self.page("a", from: 1, to: 1).body, before: { note() }),
        ])
        await #expect(throws: CancellationError.self) { try await replica.follow() }
        let retry = ReplicaStatus.Connection.retrying(
            .unavailable(status: 503, retryAfter: .seconds(7)), at: Self.now.addingTimeInterval(7))
        #expect(seen.withLock { $0 } == [.connecting, retry, retry, .current, .current])
        #expect(replica.status == ReplicaStatus(connection: .offline(nil), lastSync: Self.now, progress: nil))
        let polls = transport.takeRequests().map { $0.url.contains("wait=") }
        #expect(polls == [false, true, false, true], "the first request after a failure is not held by the server")
    }

    @Test func `sync without follow reports its outcome`() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport([.init(reset: 0), Self.page("a", from: nil, to: 1, bodies: Self.bodies)])
        let replica = try await Self.open(folder, transport)
        let error = await #expect(throws: SyncError.self) { try await replica.sync() }
        #expect(replica.status.connection == .offline(error) && replica.status.lastSync == nil)
        try await replica.sync()
        #expect(replica.status.connection == .current && replica.status.lastSync == Self.now)
    }

    @Test func `the time of the last synchronisation and of the revision survive a restart`() async throws {
        let folder = try Folder()
        let reply = Self.page("a", from: nil, to: 1, bodies: Self.bodies, published: "2027-01-02T03:04:05Z")
        let first = try await Self.open(folder, ScriptedTransport([reply]))
        try await first.sync()
        try await first.close()
        let second = try await Self.open(folder, ScriptedTransport([Self.page("b", from: 1, to: 2)]))
        #expect(second.status == ReplicaStatus(connection: .offline(nil), lastSync: Self.now, progress: nil))
        let state = try await second.store.state()
        #expect(state.syncedAt == Self.now && state.publishedAt == Date(timeIntervalSince1970: 1_798_859_045))
        // The page does not say when the next revision was published.
        try await second.sync()
        #expect(try await second.store.state().publishedAt == nil)
    }

    @Test func `progress counts the features that arrive, of those that the summary announced`() async throws {
        let folder = try Folder()
        let holder = Mutex<VenueReplica?>(nil)
        let seen = Mutex<[ReplicaStatus.Progress?]>([])
        var page = Self.page("a", from: nil, to: 1, bodies: Self.bodies)
        page.beforeBlock = {
            let progress = holder.withLock { $0?.status.progress }
            seen.withLock { $0.append(progress) }
        }
        let replica = try await Self.open(folder, ScriptedTransport([Self.summary, page]))
        holder.withLock { $0 = replica }
        #expect(try await replica.summary().venueWideFeatures == 3)
        try await replica.add(.venueWide)
        #expect(replica.status.progress == nil)
        let counts = seen.withLock { $0 }.map { $0?.received ?? 0 }
        #expect(counts.first == 0 && counts.last == 3 && counts == counts.sorted())
        #expect(seen.withLock { $0 }.compactMap(\.self).allSatisfy { $0.expected == 3 })
    }

    @Test func `status updates end when the replica is closed`() async throws {
        let folder = try Folder()
        let replica = try await Self.open(folder, ScriptedTransport())
        var updates = replica.statusUpdates().makeAsyncIterator()
        #expect(await updates.next()?.connection == .offline(nil))
        try await replica.close()
        #expect(await updates.next() == nil)
    }

    @Test func `bodies are counted in blocks of any size`() {
        let text = Self.page("a", from: nil, to: 1, bodies: Self.bodies).body
        for size in [1, 2, 3, 7, 64, 4096] {
            var count = BodyCount()
            let counts = stride(from: 0, to: text.count, by: size).map { start in
                count.read(Array(text[start..<min(start + size, text.count)]))
            }
            #expect(counts.reduce(0, +) == 3, "\(size)")
        }
    }
}

/// What an app shows of an error.
struct ErrorMessageTests {
    private static let errors: [SyncError] = [
        .unreachable("x"), .unreachable("x", .offline), .unreachable("x", .unknownHost), .unreachable("x", .refused),
        .unreachable("x", .timedOut), .unavailable(status: 503, retryAfter: nil), .configuration("x"), .unauthorized,
        .redirected(status: 302, to: nil),
        .unknownVenue,
        .venueGone,
        .refused(status: 400, "No."), .refused(status: 400, ""), .malformed("x"), .contradiction("x"),
        .wrongDigest(level: nil), .diskFull, .busy, .file("x"),
    ]
    private static let fileErrors: [ReplicaFileError] = [
        .missing("x"), .notAReplica("x"), .newerSchema("x"), .olderSchema("x"), .damaged("x", "y"), .otherVenue("hall"),
        .unusable("x", "y"), .diskFull("x"),
    ]

    @Test func `errors have sentences in English and Japanese`() {
        let messages =
            Self.errors.map { ($0.message(in: "en-GB"), $0.message(in: "ja-JP")) }
            + Self.fileErrors.map { ($0.message(in: "de"), $0.message(in: "ja")) }
        for (english, japanese) in messages {
            #expect(english.hasSuffix(".") && english.allSatisfy(\.isASCII), "\(english)")
            #expect(japanese.contains("。") && japanese.unicodeScalars.contains { (0x3040...0x30FF).contains($0.value) })
        }
        #expect(Set(messages.map(\.0)).count == messages.count && Set(messages.map(\.1)).count == messages.count)
    }

    @Test func `localizedDescription is the sentence and no number`() {
        let all: [any Error] = Self.errors + Self.fileErrors
        for error in all {
            #expect(
                !error.localizedDescription.contains("SyncClient") && !error.localizedDescription.contains("error 1"))
        }
        #expect(
            [SyncError.diskFull.message(in: "en"), SyncError.diskFull.message(in: "ja")]
                .contains((SyncError.diskFull as any Error).localizedDescription))
    }
}
