import Foundation
import IMDF
import SampleVenue
import Subprocess
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// What a cache that many share must not mix up.
@Suite(
    .database, .serialized,
    .enabled(
        if: CachingProxy.program != nil || CachingProxy.isRequired, "nginx is not installed: apt-get install nginx"))
struct SharedCacheTests {
    private struct Question: Hashable {
        let path: String
        let key: String?
    }

    @Test(.timeLimit(.minutes(10)), arguments: Seeds.upTo(3))
    func `a shared cache never gives the reply for one key to another`(seed: UInt64) async throws {
        try await CachedService.run { service in
            let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 4, seed: seed))
            for key in ["north", "south", "plaza"] { try await service.publish(venue, to: key) }
            try await service.node.set("public", to: true, of: "plaza")
            let keys: [String?] = [
                nil, "vsk_wrong", Harness.adminKey, try await Self.makeKey("north", at: service.node),
                try await Self.makeKey("south", at: service.node),
            ]
            var questions: [Question] = []
            for path in try await Self.paths(at: service.node, to: venue.features[0].id) {
                questions += keys.map { Question(path: path, key: $0) }
            }
            // What is right, from the node itself.
            var truth: [Question: RemoteService.Answer] = [:]
            for question in questions {
                truth[question] = try await service.node.with(key: question.key).send("GET", question.path)
            }
            #expect(Set(truth.values.map(\.status)).isSuperset(of: [200, 400, 401, 404]))

            var random = SplitMix64(seed: seed)
            var hits = 0
            for _ in 0..<30 {
                let some = (0..<16).map { _ in questions.randomElement(using: &random) ?? questions[0] }
                for (question, answer) in try await Self.ask(some, through: service.cache) {
                    let right = try #require(truth[question])
                    #expect(answer.status == right.status && answer.body == right.body, "\(question)")
                    guard answer.cacheStatus == "HIT" else { continue }
                    hits += 1
                    #expect(answer.status == 200 && question.path.contains("/plaza"), "\(question)")
                }
            }
            #expect(hits > 0)

            // A venue that was not there is there at once: that it was missing was never kept.
            try await service.publish(.tiny, to: "later")
            for _ in 0..<3 { try await service.cache.answer("GET", "/venues/later/sync") }
            #expect(try await service.cache.with(key: keys[3]).send("GET", "/venues/later/sync").status == 404)
        }
    }

    private static func paths(at node: RemoteService, to feature: FeatureID) async throws -> [String] {
        var paths = ["/venues", "/sync", "/sync?since=broken", "/venues/later/sync", "/venues/later"]
        for venue in ["north", "south", "plaza"] {
            let cursor = try #require(try await node.pages(of: venue).last?.cursor)
            paths += [
                "", "/sync", "/sync?since=\(cursor)", "/sync?since=\(cursor)&to=1", "/sync?since=broken", "/revisions",
                "/revisions/1/features?type=unit", "/revisions/9", "/diff?from=1&to=1",
                "/features/\(feature)", "/features/\(feature)/history", "/revisions/1/archive.zip",
            ].map { "/venues/\(venue)\($0)" }
        }
        return paths
    }

    private static func makeKey(_ venue: String, at node: RemoteService) async throws -> String {
        struct Made: Decodable { let secret: String }
        let wish: JSONValue = ["name": .string(venue), "role": "read", "venues": [.string(venue)]]
        return try await node.answer("POST", "/keys", type: "application/json", body: CanonicalJSON.data(wish))
            .decoded(Made.self).secret
    }

    private static func ask(
        _ questions: [Question], through cache: RemoteService
    ) async throws -> [(Question, RemoteService.Answer)] {
        try await withThrowingTaskGroup(of: (Question, RemoteService.Answer).self) { group in
            for question in questions {
                group.addTask { (question, try await cache.with(key: question.key).send("GET", question.path)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a shared cache does not mix content encodings`() async throws {
        try await CachedService.run { service in
            try await service.publish(.tiny)
            try await service.node.set("public", to: true)
            // What a client says that it takes, and what it may be sent then.
            let wishes: [(String, Set<String>)] = [
                ("identity", ["identity"]), ("gzip", ["gzip"]), ("br", ["br"]), ("zstd", ["zstd"]),
                ("gzip;q=0", ["identity"]), ("gzip, br", ["gzip", "br"]), ("zstd, br, gzip", ["zstd", "br", "gzip"]),
                ("deflate", ["identity"]), ("", ["identity"]),
            ]
            let path = "/venues/mall/sync"
            let plain = try await service.node.send("GET", path)
            #expect(plain.status == 200 && plain.header("Content-Encoding") == nil)
            for round in 0..<4 {
                for (wish, allowed) in round.isMultiple(of: 2) ? wishes : wishes.reversed() {
                    let headers = [("Accept-Encoding", wish)]
                    let right = try await service.node.send("GET", path, headers: headers)
                    let answer = try await service.cache.send("GET", path, headers: headers)
                    #expect(answer.header("Content-Encoding") == right.header("Content-Encoding"), "\(wish)")
                    #expect(answer.body == right.body, "\(wish)")
                    let coding = answer.header("Content-Encoding") ?? "identity"
                    #expect(allowed.contains(coding), "\(coding) for \(wish)")
                    if coding == "identity" { #expect(answer.body == plain.body) }
                    if coding == "gzip" { #expect(try await Self.gunzip(answer.body) == plain.body) }
                    #expect(round == 0 || answer.cacheStatus == "HIT", "\(wish)")
                }
            }
        }
    }

    private static func gunzip(_ bytes: [UInt8]) async throws -> [UInt8] {
        let result = try await Subprocess.run(
            .path("/bin/gzip"), arguments: ["-dc"], input: .array(bytes), output: .bytes(limit: 1 << 26),
            error: .discarded)
        return result.standardOutput
    }
}
