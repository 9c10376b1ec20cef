import Foundation
import IMDF
import SampleVenue
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

    @Test func `counts of features that no number holds are not added`() async throws {
        let folder = try Folder()
        let levels = ["a1", "a2"].map {
            #"{"level_id":"00000000-0000-4000-8000-0000000000\#($0)","ordinal":1,"name":null,"short_name":null,"#
                + #""digest":"\#(Digest(of: []))","features":\#(Int.max),"bytes":\#(Int64.max)}"#
        }
        let venue = """
            {"venue":"mall","head":1,"first":1,"digest":"\(Digest(of: []))","features":1,"level_count":2,\
            "levels":[\(levels.joined(separator: ","))],"about":{},"public":true,"published_at":"2026-01-01T00:00:00Z"}
            """
        let line = "{\"feature_type\":\"unit\",\"id\":\"\(Self.id)\"}"
        let transport = ScriptedTransport([.init(body: Array(venue.utf8)), Self.page([line])])
        let replica = try await Self.replica(folder, transport)
        try await replica.summary()
        try await replica.sync()
        #expect(try await replica.store.features(on: nil).count == 1)
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

    @Test func `every beginning of a feature is refused`() async throws {
        let line = "{\"a\":[[1.5,\"}\"],{\"b\":\"\\\"\"}],\"feature_type\":\"unit\",\"id\":\"\(Self.id)\",\"z\":-1e5}"
        let folder = try Folder()
        let transport = ScriptedTransport([])
        let replica = try await Self.replica(folder, transport)
        for count in 1..<line.utf8.count {
            transport.reply([Self.page([String(line.prefix(count))])])
            await #expect(throws: SyncError.self, "\(count)") { try await replica.sync() }
        }
        transport.reply([Self.page([line])])
        try await replica.sync()
        #expect(try await replica.store.features(on: nil).count == 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `id and type are found between any other members`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        var (lines, types): ([String], [String]) = ([], [])
        for number in 0..<50 {
            var members = (0..<Int.random(in: 0...4, using: &random)).map {
                "\"m\($0)\":\(Self.value(depth: 3, &random))"
            }
            let type = ["unit", "level", "y_[Y]", "}{"].randomElement(using: &random) ?? ""
            members += [
                "\"feature_type\":\"\(type)\"", "\"id\":\"00000000-0000-4000-8000-\(100_000_000_000 + number)\"",
            ]
            members.shuffle(using: &random)
            lines.append("{\(members.joined(separator: ","))}")
            types.append(type)
        }
        let folder = try Folder()
        let replica = try await Self.replica(folder, ScriptedTransport([Self.page(lines)]))
        try await replica.sync()
        let features = try await replica.store.features(on: nil)
        #expect(features.map { String(decoding: $0.body, as: UTF8.self) } == lines)
        #expect(features.map(\.type.rawValue) == types)
        #expect(features.map { $0.id.description.suffix(12) } == (0..<50).map { "\(100_000_000_000 + $0)" })
    }

    /// A random JSON value without white space, with brackets, quotation marks and members named like the ones that are looked for.
    private static func value(depth: Int, _ random: inout SplitMix64) -> String {
        let texts = [
            "", "[", "]}", "\\\"", "\\\\", "Y_y", "日本", ",", "a longer text, {with} \\\"many\\\" things in it",
        ]
        let keys = ["id", "feature_type", "k", "properties"]
        switch Int.random(in: depth > 0 ? 0..<6 : 2..<6, using: &random) {
        case 0:
            let count = Int.random(in: 0...5, using: &random)
            return "[\((0..<count).map { _ in self.value(depth: depth - 1, &random) }.joined(separator: ","))]"
        case 1:
            let count = Int.random(in: 0...keys.count, using: &random)
            let members = keys.prefix(count).map { "\"\($0)\":\(self.value(depth: depth - 1, &random))" }
            return "{\(members.joined(separator: ","))}"
        case 2: return "\"\(texts.randomElement(using: &random) ?? "")\""
        case 3: return "\(Double.random(in: -180...180, using: &random))"
        case 4: return "[\(Double.random(in: -180...180, using: &random)),\(Int.random(in: 0...9, using: &random))]"
        default: return ["null", "true", "false", "0"].randomElement(using: &random) ?? "0"
        }
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
