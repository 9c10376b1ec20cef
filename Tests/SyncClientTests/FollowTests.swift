import Foundation
import IMDF
import SyncClient
import SyncModel
import Synchronization
import Testing

/// ``VenueReplica/follow(_:)`` with a clock that records pauses instead of waiting.
struct FollowTests {
    private static let level = "sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// A change set without a body.
    private static func page(_ cursor: String, from: Int?, to: Int, snapshot: Bool = false) -> ScriptedTransport.Reply {
        let block = """
            {"digest":"\(Self.level)","kind":"snapshot","level_id":null,"ordinal":null,"features":[
            ],"removed":[]}
            """
        let text = """
            {"about":{"country":null,"language":null,"time_zone":null},"complete":true,"cursor":"\(cursor)","digest":"\(Self.level)",\
            "from":\(from.map(String.init) ?? "null"),"protocol":1,"to":\(to),"venue":"mall","levels":[
            \(snapshot ? block : "")]}

            """
        return .init(body: Array(text.utf8))
    }

    private static let start = Self.page("one", from: nil, to: 1, snapshot: true)

    private struct Outcome {
        let pauses: [Duration]
        let events: [FollowEvent]
        let requests: [TransportRequest]
        let error: (any Error)?
    }

    /// Follows until the scripted replies are used up.
    private static func follow(
        _ replies: [ScriptedTransport.Reply], chance: Double = 0
    ) async throws -> Outcome {
        let folder = try Folder()
        let transport = ScriptedTransport(replies)
        let pauses = Mutex<[Duration]>([])
        let events = Mutex<[FollowEvent]>([])
        var policy = RetryPolicy()
        policy.randomFraction = { chance }
        policy.now = { Date(timeIntervalSince1970: 784_111_767) }  // ten seconds before the date below
        policy.sleep = { pause in
            try Task.checkCancellation()
            pauses.withLock { $0.append(pause) }
            if transport.left == 0 { throw CancellationError() }
        }
        let replica = try await VenueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), venue: #require(VenueKey("mall")),
            key: nil,
            transport: transport, policy: policy)
        var ending: (any Error)?
        do {
            try await replica.follow { event in events.withLock { $0.append(event) } }
        } catch {
            ending = error
        }
        return Outcome(
            pauses: pauses.withLock { $0 }, events: events.withLock { $0 }, requests: transport.takeRequests(),
            error: ending)
    }

    @Test func `follow downloads a snapshot and then sends long polls`() async throws {
        let outcome = try await Self.follow([
            Self.start, Self.page("two", from: 1, to: 2), Self.page("two", from: 2, to: 2),
        ])
        #expect(outcome.requests.count == 3 && !outcome.requests[0].url.contains("wait="))
        #expect(outcome.requests[1].url.contains("since=one") && outcome.requests[1].url.contains("wait=25"))
        #expect(outcome.requests[2].url.contains("since=two"))
        #expect(outcome.events.count == 2)
        #expect(outcome.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test func `follow pauses between requests to a server that does not hold long polls`() async throws {
        let outcome = try await Self.follow([Self.start] + (0..<3).map { _ in Self.page("one", from: 1, to: 1) })
        #expect(
            outcome.pauses == [.seconds(1), .seconds(1), .seconds(1)]
                || outcome.pauses == Array(repeating: .seconds(1), count: 4))
    }

    @Test func `retry pauses double up to a limit and start again after a success`() async throws {
        let broken = ScriptedTransport.Reply(reset: 0)
        let outcome = try await Self.follow(
            Array(repeating: broken, count: 12) + [Self.start, ScriptedTransport.Reply(reset: 0)], chance: 0)
        let seconds = outcome.pauses.map { $0 / .seconds(1) }
        #expect(Array(seconds.prefix(12)) == [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30])
        #expect(seconds.last == 0.5)
        let late = try await Self.follow(Array(repeating: broken, count: 3), chance: 0.5)
        #expect(late.pauses.map { $0 / .seconds(1) } == [0.75, 1.5, 3])
    }

    @Test func `retry pauses follow Retry-After`() async throws {
        func busy(_ status: Int, _ after: String) -> ScriptedTransport.Reply {
            .init(status: status, headers: ["retry-after": after])
        }
        let outcome = try await Self.follow([
            busy(503, "7"), busy(429, "Sun, 06 Nov 1994 08:49:37 GMT"), busy(503, "soon"),
            busy(429, "99999999999999999999"),
        ])
        #expect(outcome.pauses.map { $0 / .seconds(1) } == [7, 10, 2, 3600])
        guard case .failed(.unavailable(503, .some(.seconds(7))), _) = outcome.events.first else {
            Issue.record("\(outcome.events)")
            return
        }
    }

    @Test func `retry pauses after a long outage are as short as the server asks for`() async throws {
        let broken = ScriptedTransport.Reply(reset: 0)
        let busy = ScriptedTransport.Reply(status: 503, headers: ["retry-after": "1"])
        let outcome = try await Self.follow(Array(repeating: broken, count: 12) + [busy, busy], chance: 0.5)
        #expect(outcome.pauses.map { $0 / .seconds(1) }.suffix(4) == [45, 45, 1.25, 1.25])
    }

    @Test(arguments: [(401, SyncError.unauthorized), (404, .unknownVenue)])
    func `follow goes on after a revoked key or a missing venue, which may be there again`(
        status: Int, error: SyncError
    ) async throws {
        let outcome = try await Self.follow([
            Self.start, .problem(status), .problem(status), Self.page("two", from: 1, to: 2),
        ])
        let failures = outcome.events.compactMap { event in
            if case .failed(let error, _) = event { error } else { nil }
        }
        #expect(failures.prefix(2) == [error, error])
        let revisions = outcome.events.compactMap { event in
            if case .synced(let report) = event { report.to } else { nil }
        }
        #expect(revisions == [1, 2])
    }

    @Test func `follow polls again at once when another call has reached the server during its pause`() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport([
            Self.start, .init(reset: 0), Self.page("two", from: 1, to: 2), Self.page("three", from: 2, to: 3),
        ])
        var policy = RetryPolicy()
        let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
        policy.sleep = { pause in
            if transport.left == 0 { throw CancellationError() }
            paused.yield(pause)
            // Ends only with the task.
            try await Task.sleep(for: .seconds(86_400))
        }
        let replica = try await VenueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), venue: #require(VenueKey("mall")),
            key: nil, transport: transport, policy: policy)
        let following = Task { try await replica.follow() }
        for await _ in pauses { break }
        guard case .retrying = replica.status.connection else {
            Issue.record("\(replica.status)")
            return
        }
        #expect(try await replica.sync().to == 2)
        // It ends after the last reply, which it has asked for without another pause.
        await #expect(throws: CancellationError.self) { try await following.value }
        #expect(try await replica.store.state().revision == 3)
    }

    @Test(arguments: [302, 307, 401, 403, 404, 408, 410])
    func `follow goes on after a response that is not the server's`(status: Int) async throws {
        let page = ScriptedTransport.Reply(
            status: status, headers: ["content-type": "text/html"], body: Array("<html>sign in</html>".utf8))
        let outcome = try await Self.follow([Self.start, page, Self.start])
        let failures = outcome.events.compactMap { event in
            if case .failed(let error, _) = event { error } else { nil }
        }
        #expect(
            failures.first
                == (status < 400
                    ? .redirected(status: status, to: nil) : .unavailable(status: status, retryAfter: nil)))
        #expect(outcome.error as? SyncError == nil)
    }

    @Test func `follow goes on after a refusal, because another version of the server may accept the request`()
        async throws
    {
        let outcome = try await Self.follow([Self.start, .problem(400), Self.start])
        let failures = outcome.events.compactMap { event in
            if case .failed(let error, _) = event { error } else { nil }
        }
        #expect(failures.first == .refused(status: 400, "No"))
        #expect(outcome.error as? SyncError == nil)
    }

    @Test func `a failed page is retried, so that the pages before it are not lost`() async throws {
        func part(_ cursor: String, complete: Bool, continued: Bool) -> ScriptedTransport.Reply {
            var text = String(decoding: Self.start.body, as: UTF8.self).replacing("\"one\"", with: "\"\(cursor)\"")
            if !complete {
                text.replace("\"complete\":true", with: "\"complete\":false")
                text.replace("{\"digest\":\"\(Self.level)\",\"kind\"", with: "{\"digest\":null,\"kind\"")
            }
            if continued {
                text.replace(
                    "{\"digest\":\"\(Self.level)\",\"kind\"",
                    with: "{\"continued\":true,\"digest\":\"\(Self.level)\",\"kind\"")
            }
            return .init(body: Array(text.utf8))
        }
        let last = part("one", complete: true, continued: true)
        var cut = last
        cut.cut = 60
        let outcome = try await Self.follow([
            part("p", complete: false, continued: false), .init(status: 503), cut, .init(reset: 0), last,
        ])
        #expect(outcome.pauses.prefix(3).map { $0 / .seconds(1) } == [0.5, 1, 2])
        guard case .synced(let report) = outcome.events.first else {
            Issue.record("\(outcome.events)")
            return
        }
        #expect(report.to == 1 && report.requests == 2)
    }
}
