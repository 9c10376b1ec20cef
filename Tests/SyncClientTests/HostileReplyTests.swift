import Foundation
import IMDF
import SyncClient
import SyncModel
import Testing

/// Responses with broken features and matching digests, which only parsing detects.
struct HostileReplyTests {
    private static let id = "00000000-0000-4000-8000-0000000000a1"

    private static func page(_ bodies: [String]) -> ScriptedTransport.Reply {
        var digest = LevelDigest()
        for body in bodies { digest.add(body: Array(body.utf8)) }
        let text = """
            {"about":{},"complete":true,"cursor":"one&level=x","digest":"\(Digest(of: []))","from":null,"protocol":1,"to":1,\
            "venue":"mall","levels":[
            {"digest":"\(digest.finalize())","kind":"snapshot","level_id":null,"features":[
            \(bodies.joined(separator: ",\n"))
            ],"removed":[]}
            ]}

            """
        return .init(body: Array(text.utf8))
    }

    private static func replica(_ folder: Folder, _ transport: ScriptedTransport) async throws -> VenueReplica {
        let address = try #require(URL(string: "https://maps.example"))
        let mall = try #require(VenueKey("mall"))
        return try await .open(folder.file, server: address, venue: mall, key: "secret", transport: transport)
    }

    @Test(arguments: [
        "{", "{}", "{\"id\":\"\(id)\"}", "{\"feature_type\":\"unit\"}", "{\"feature_type\":\"unit\",\"id\":\"a1\"}",
        "{\"feature_type\":1,\"id\":\"\(id)\"}", "{\"feature_type\":\"unit\",\"id\":[\"\(id)\"]}",
        "{\"feature_type\":\"unit\",\"id\":\"\(id)\"", "{\"feature_type\":\"unit\",\"id\":\"\(id)\"}}",
        "{\"feature_type\":\"unit\",\"geometry\":{\"a\":[},\"id\":\"\(id)\"", "{\"feature_type\":\"unit\\",
        "{\"feature_type\": \"unit\",\"id\":\"\(id)\"}", "{\"feature_type\":\"unit\",,\"id\":\"\(id)\"}",
        "{\"feature_type\":\"\\ud800x\",\"id\":\"\(id)\"}", "{\"properties\":" + String(repeating: "[", count: 300_000),
    ])
    func `a line that is not a feature is refused, and nothing is stored`(_ line: String) async throws {
        let folder = try Folder()
        let replica = try await Self.replica(folder, ScriptedTransport([Self.page([line])]))
        let error = await #expect(throws: SyncError.self) { try await replica.sync() }
        guard case .malformed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await replica.store.state().revision == nil)
        #expect(try await replica.store.levels().isEmpty)
    }

    @Test func `an unusual but valid feature is stored unchanged`() async throws {
        let lines = [
            "{\"bbox\":[1,[2]],\"feature_type\":\"unit\",\"id\":\"\(Self.id)\"}",
            "{\"feature_type\":\"un\\u0069t\",\"id\":\"00000000-0000-4000-8000-0000000000a2\",\"z\":\"}\\\"{\\\\\"}",
            "{\"a\":{\"id\":\"b\",\"feature_type\":[]},\"feature_type\":\"自販機\",\"id\":\"00000000-0000-4000-8000-0000000000a3\"}",
        ]
        let folder = try Folder()
        let transport = ScriptedTransport([Self.page(lines)])
        let replica = try await Self.replica(folder, transport)
        try await replica.sync()
        let features = try await replica.store.features(on: nil)
        #expect(features.map { String(decoding: $0.body, as: UTF8.self) } == lines)
        #expect(features.map(\.type.rawValue) == ["unit", "unit", "自販機"])
        // Values from the server are escaped in requests.
        await #expect(throws: SyncError.self) { try await replica.sync() }
        let requests = transport.takeRequests()
        #expect(requests.last?.url.contains("since=one%26level%3Dx&") == true)
    }

    @Test func `history that is lost again while the client starts over is a reason to try again`() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport([Self.page(["{\"feature_type\":\"unit\",\"id\":\"\(Self.id)\"}"])])
        let replica = try await Self.replica(folder, transport)
        try await replica.sync()
        let lost = ScriptedTransport.Reply.problem(410, type: "/problems/history-lost")
        let restart = ScriptedTransport.Reply(
            status: 410, headers: ["content-type": "application/problem+json"],
            body: Array(
                #"""
                {"type":"/problems/history-lost","title":"Lost","status":410,"to":1,"cursor":"two",\#
                "levels":[{"level_id":null,"digest":"\#(Digest(of: [7]))","href":"/venues/mall/revisions/1/features?level=venue"}]}
                """#.utf8))
        for replies in [[lost, lost], [restart, lost]] {
            transport.reply(replies)
            await #expect(throws: SyncError.unavailable(status: 410, retryAfter: nil)) { try await replica.sync() }
            #expect(transport.left == 0)
        }
        #expect(try await replica.store.state().revision == 1)
    }

    @Test func `a digest with another spelling is refused`() async throws {
        var page = Self.page(["{\"feature_type\":\"unit\",\"id\":\"\(Self.id)\",\"n\":\"?\"}"])
        let text = String(decoding: page.body, as: UTF8.self)
        page.body = Array(text.replacing("sha-256:", with: "SHA-256:").utf8)
        let folder = try Folder()
        let replica = try await Self.replica(folder, ScriptedTransport([page]))
        await #expect(throws: SyncError.self) { try await replica.sync() }
        #expect(try await replica.store.state().revision == nil)
    }
}
