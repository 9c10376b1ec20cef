import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Clients that may not see a venue cannot learn from a response, or from the work behind it, whether it exists.
@Suite(.database)
struct HiddenVenueTests {
    private static let feature = SampleVenue.tiny.features[0].id
    private static let readings = [
        "", "/sync", "/revisions", "/revisions/1", "/revisions/1/features", "/revisions/1/archive.zip",
        "/diff?from=1&to=1", "/features/\(feature)", "/features/\(feature)/history", "/uploads",
    ]

    /// The response, and how many times a connection was taken from the pool for it.
    private struct Outcome: Equatable {
        let status: Int
        let headers: [String: String]
        let text: String
        let work: Int
    }

    private static func outcome(
        of method: HTTPRequest.Method, _ path: String, key: String?, in harness: Harness
    ) async throws -> Outcome {
        let loans = harness.store.pool.useCount
        let response = try await harness.send(
            method, path, key: key, type: method == .post ? "application/zip" : nil, body: method == .get ? [] : [80])
        let fields = response.headers.filter { !["X-Request-ID", "Date"].contains($0.name.rawName) }
        return Outcome(
            status: response.status.code,
            headers: Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" },
            text: response.text, work: harness.store.pool.useCount - loans)
    }

    /// Existing and deleted venues that only their own keys may see.
    private static func fill(_ harness: Harness) async throws {
        try await harness.push(SampleVenue.tiny.archive(), to: "private")
        try await harness.push(SampleVenue.tiny.archive(), to: "deleted")
        try await harness.delete("deleted")
        for venue in ["empty", "public-and-empty"] { try await harness.push([80, 75], to: venue) }
        try await harness.set("public", to: true, of: "public-and-empty")
    }

    private static let hidden = ["private", "deleted", "empty", "public-and-empty"]

    @Test func `hidden venue has the same response and the same number of queries as an unknown one`() async throws {
        let others = Mutex("")
        try await Harness.run { harness in
            try await Self.fill(harness)
            let key = try await harness.makeKey(.admin, for: ["office"])
            others.withLock { $0 = key }
        }
        let writes: [(HTTPRequest.Method, String)] = [
            (.post, "/uploads"), (.patch, ""), (.delete, ""), (.post, "/rollback"), (.post, "/prune"),
            (.post, "/epoch"),
        ]
        let foreign = others.withLock(\.self)
        for (method, path) in Self.readings.map({ (.get, $0) }) + writes {
            // Each has its own server, because wrong keys are rate limited.
            try await Harness.run { try await Self.compare(method, path, keyOfOthers: foreign, in: $0) }
        }
    }

    private static func compare(
        _ method: HTTPRequest.Method, _ path: String, keyOfOthers others: String, in harness: Harness
    ) async throws {
        let forged = "vsk_\(FeatureID.random())_0"
        _ = try await Self.outcome(of: .get, "/venues/unknown", key: others, in: harness)
        for key in [nil, "none", forged, others] {
            let expected = try await Self.outcome(of: method, "/venues/unknown\(path)", key: key, in: harness)
            #expect(expected.status == (key == others ? 404 : 401))
            for venue in Self.hidden {
                let outcome = try await Self.outcome(of: method, "/venues/\(venue)\(path)", key: key, in: harness)
                #expect(outcome == expected, "\(method) \(venue)\(path) \(key ?? "without a key")")
            }
        }
    }

    @Test func `hidden venue: an upload to it is answered like an upload that does not exist`() async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(SampleVenue.tiny.archive(), to: "private")
            for role in Role.allCases {
                let others = try await harness.makeKey(role, for: ["office"])
                for path in ["", "/findings", "/matches", "/changes", "/preview"] {
                    let expected = try await Self.outcome(
                        of: .get, "/uploads/\(FeatureID.random())\(path)", key: others, in: harness)
                    let outcome = try await Self.outcome(
                        of: .get, "/uploads/\(upload.id)\(path)", key: others, in: harness)
                    #expect(outcome == expected && outcome.status == 404, "\(role) \(path)")
                }
            }
        }
    }

    @Test func `key lookup: a wrong secret takes the same work as an unknown key`() async throws {
        try await Harness.run { harness in
            let key = try await harness.makeKey(.admin)
            let id = key.split(separator: "_")[1]
            for path in ["/keys", "/venues", "/sync", "/events", "/uploads/\(FeatureID.random())"] {
                let expected = try await Self.outcome(
                    of: .get, path, key: "vsk_\(FeatureID.random())_0", in: harness)
                let outcome = try await Self.outcome(of: .get, path, key: "vsk_\(id)_0", in: harness)
                #expect(outcome == expected && outcome.status == 401, "\(path)")
            }
            let expected = try await Self.outcome(
                of: .delete, "/keys/\(FeatureID.random())", key: "vsk_\(id)_0", in: harness)
            #expect(try await Self.outcome(of: .delete, "/keys/\(id)", key: "vsk_\(id)_0", in: harness) == expected)
        }
    }

    @Test func `hidden venue: a node with a change notifier does the same work as for an unknown one`()
        async throws
    {
        try await Harness.withChangeNotifier { harness in
            try await Self.fill(harness)
            let others = try await harness.makeKey(.read, for: ["office"])
            // The change poller uses the pool too; the minimum of several attempts is the work of the request alone.
            func work(_ venue: String) async throws -> Int? {
                var least: Int?
                for _ in 0..<5 {
                    let work = try await Self.outcome(of: .get, "/venues/\(venue)/sync", key: others, in: harness).work
                    least = min(least ?? work, work)
                }
                return least
            }
            let expected = try await work("unknown")
            for venue in Self.hidden { #expect(try await work(venue) == expected, "\(venue)") }
        }
    }
}
