import Foundation
import IMDF
import SampleVenue
import Subprocess
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Responses that a shared cache must keep apart.
@Suite(.database, .serialized, .requires(program: "nginx"))
struct SharedCacheTests {
    private struct CachedRequest: Hashable {
        let path: String
        let key: String?
    }

    @Test(.timeLimit(.minutes(30)), arguments: Seeds.upTo(3))
    func `shared cache never gives the response for one key to another`(seed: UInt64) async throws {
        try await CachedService.run { service in
            let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 4, seed: seed))
            for key in ["north", "south", "plaza"] { try await service.publish(venue, to: key) }
            try await service.node.set("public", to: true, of: "plaza")
            let keys: [String?] = [
                nil, "vsk_wrong", Harness.adminKey, try await Self.makeKey("north", at: service.node),
                try await Self.makeKey("south", at: service.node),
            ]
            var requests: [CachedRequest] = []
            for path in try await Self.paths(at: service.node, to: venue.features[0].id) {
                requests += keys.map { CachedRequest(path: path, key: $0) }
            }
            // The correct responses, from the node itself.
            var expected: [CachedRequest: RemoteService.Response] = [:]
            for request in requests {
                expected[request] = try await service.node.with(key: request.key).send("GET", request.path)
            }
            #expect(Set(expected.values.map(\.status)).isSuperset(of: [200, 400, 401, 404]))

            var random = SplitMix64(seed: seed)
            var hits = 0
            for _ in 0..<30 {
                let some = (0..<16).map { _ in requests.randomElement(using: &random) ?? requests[0] }
                for (request, response) in try await Self.ask(some, through: service.cache) {
                    let correct = try #require(expected[request])
                    #expect(response.status == correct.status && response.body == correct.body, "\(request)")
                    guard response.cacheStatus == "HIT" else { continue }
                    hits += 1
                    #expect(response.status == 200 && request.path.contains("/plaza"), "\(request)")
                }
            }
            #expect(hits > 0)

            // A new venue is visible at once: the earlier 404 was not cached.
            try await service.publish(.tiny, to: "later")
            for _ in 0..<3 { try await service.cache.request("GET", "/venues/later/sync") }
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
        struct CreatedKey: Decodable { let secret: String }
        let request: JSONValue = ["name": .string(venue), "role": "read", "venues": [.string(venue)]]
        return try await node.request("POST", "/keys", type: "application/json", body: CanonicalJSON.data(request))
            .decoded(CreatedKey.self).secret
    }

    private static func ask(
        _ requests: [CachedRequest], through cache: RemoteService
    ) async throws -> [(CachedRequest, RemoteService.Response)] {
        try await withThrowingTaskGroup(of: (CachedRequest, RemoteService.Response).self) { group in
            for request in requests {
                group.addTask { (request, try await cache.with(key: request.key).send("GET", request.path)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `shared cache does not mix content encodings`() async throws {
        try await CachedService.run { service in
            try await service.publish(.tiny)
            try await service.node.set("public", to: true)
            // The encodings that a client accepts, and those that it may get.
            let fields: [(String, Set<String>)] = [
                ("identity", ["identity"]), ("gzip", ["gzip"]), ("br", ["br"]), ("zstd", ["zstd"]),
                ("gzip;q=0", ["identity"]), ("gzip, br", ["gzip", "br"]), ("zstd, br, gzip", ["zstd", "br", "gzip"]),
                ("deflate", ["identity"]), ("", ["identity"]),
            ]
            let path = "/venues/mall/sync"
            let plain = try await service.node.send("GET", path)
            #expect(plain.status == 200 && plain.header("Content-Encoding") == nil)
            for round in 0..<4 {
                for (accepted, allowed) in round.isMultiple(of: 2) ? fields : fields.reversed() {
                    let headers = [("Accept-Encoding", accepted)]
                    let right = try await service.node.send("GET", path, headers: headers)
                    let response = try await service.cache.send("GET", path, headers: headers)
                    #expect(response.header("Content-Encoding") == right.header("Content-Encoding"), "\(accepted)")
                    #expect(response.body == right.body, "\(accepted)")
                    let coding = response.header("Content-Encoding") ?? "identity"
                    #expect(allowed.contains(coding), "\(coding) for \(accepted)")
                    if coding == "identity" { #expect(response.body == plain.body) }
                    if coding == "gzip" { #expect(try await Self.gunzip(response.body) == plain.body) }
                    #expect(round == 0 || response.cacheStatus == "HIT", "\(accepted)")
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
