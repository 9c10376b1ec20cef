import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.server)
struct KeyTests {
    private static let phones: JSONValue = ["name": "phones", "role": "read", "venues": ["mall", "office"]]

    @Test func `key secret is shown once, to the key's creator`() async throws {
        let harness = Harness.current
        let made = try await harness.send(.post, "/keys", json: Self.phones)
        #expect(made.status == .created)
        #expect(made.parts(of: .cacheControl).contains("no-store"))
        let key = try made.decoded(AccessKey.self)
        let secret = try #require(key.secret)
        #expect(key.name == "phones" && key.role == .read && key.venues == ["mall", "office"])
        let list = try await harness.send(.get, "/keys")
        #expect(list.status == .ok && !list.text.contains(secret))
        let keys = try #require(list.json["keys"]?.array)
        #expect(keys.count == 1 && keys[0]["id"]?.string == key.id && keys[0]["name"] == "phones")
        #expect(keys[0].keys.isDisjoint(with: ["secret", "hash", "secret_sha256"]))
    }

    @Test func `key secret: the database stores only its hash`() async throws {
        let harness = Harness.current
        let secret = try await harness.makeKey(.read)
        let rows = try await harness.store.pool.query("SELECT api_key::text FROM api_key").decode(String.self)
        let row = try #require(rows.first)
        // Neither the whole secret nor its random part, as text or in hexadecimal digits.
        for part in [secret] + secret.split(separator: "_").suffix(1).map(String.init) {
            #expect(!row.contains(part))
            #expect(
                !row.contains(part.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()))
        }
    }

    @Test func `key that is revoked is refused like a wrong key`() async throws {
        let harness = Harness.current
        let key = try await harness.send(.post, "/keys", json: Self.phones).decoded(AccessKey.self)
        let secret = try #require(key.secret)
        #expect(try await harness.send(.get, "/venues", key: secret).status == .ok)
        #expect(try await harness.send(.delete, "/keys/\(key.id.uppercased())").status == .noContent)
        try await harness.send(.get, "/venues", key: secret).problem(401)
        try await harness.send(.delete, "/keys/\(key.id)").problem(404)
        try await harness.send(.delete, "/keys/phones").problem(404)
        #expect(try await harness.send(.get, "/keys").json["keys"]?.array?.isEmpty == true)
    }

    @Test func `key secret that was changed, or is that of another key, is refused`()
        async throws
    {
        let harness = Harness.current
        let (one, other) = (try await harness.makeKey(.read), try await harness.makeKey(.admin))
        #expect(one != other)
        let last = one.hasSuffix("0") ? "1" : "0"
        let mixed = one.split(separator: "_").dropLast() + other.split(separator: "_").suffix(1)
        let wrong = ["\(one.dropLast())\(last)", "\(one.dropLast())", "\(one)0", mixed.joined(separator: "_")]
        for key in wrong { try await harness.send(.get, "/venues", key: key).problem(401) }
        #expect(try await harness.send(.get, "/venues", key: one).status == .ok)
    }

    @Test func `key for some venues sees only these, and a key for all sees future ones too`() async throws {
        let harness = Harness.current
        let everything = try await harness.makeKey(.read)
        let mall = try await harness.makeKey(.read, for: ["mall"])
        for venue in ["mall", "office"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        #expect(try await harness.send(.get, "/venues/office/sync", key: everything).status == .ok)
        #expect(try await harness.send(.get, "/venues/mall/sync", key: mall).status == .ok)
        try await harness.send(.get, "/venues/office/sync", key: mall).problem(404)
        let seen = try await harness.send(.get, "/venues", key: mall).json["venues"]?.array
        #expect(seen?.map { $0["venue"]?.string } == ["mall"])
    }

    @Test func `key for some venues: an upload creates only a venue that the key is for`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.publish, named: "ops key", for: ["mall"])
        let zip = try SampleVenue.tiny.archive()
        #expect(try await harness.push(zip, key: key).state == .published)
        try await harness.upload(zip, to: "office", key: key).problem(404)
        #expect(try await harness.count("venue") == 1)
    }

    @Test func `key creation: an admin of some venues cannot create a key for others`() async throws {
        let harness = Harness.current
        let admin = try await harness.makeKey(.admin, for: ["mall"])
        let request: JSONValue = ["name": "more", "role": "admin", "venues": ["*"]]
        try await harness.send(.post, "/keys", json: request, key: admin).problem(403)
        #expect(try await harness.count("api_key") == 1)
    }

    @Test func `key creation refuses a malformed request`() async throws {
        let harness = Harness.current
        for request in [
            #"{}"#, #"{"name":"","role":"read","venues":["*"]}"#, #"{"name":"a","role":"owner","venues":["*"]}"#,
            #"{"name":"a","role":"read","venues":[]}"#, #"{"name":"a","role":"read","venues":["*","mall"]}"#,
            #"{"name":"a","role":"read","venues":["The Mall"]}"#, #"{"name":"a","role":"read","venues":"*"}"#,
            #"{"name":7,"role":"read","venues":["*"]}"#, #"{"name":"a\u0000","role":"read","venues":["*"]}"#, "[]", "{",
            "null",
        ] as [String] {
            try await harness.send(.post, "/keys", type: "application/json", body: Array(request.utf8)).problem(
                400, "\(request)")
            #expect(try await harness.count("api_key") == 0)
        }
    }

    @Test func `key creation says with a JSON pointer which member it refuses`() async throws {
        let harness = Harness.current
        for (member, request) in [
            ("name", ["name": "", "role": "read", "venues": ["*"]]),
            ("venues", ["name": "a", "role": "read", "venues": ["The Mall"]]),
        ] as [(String, JSONValue)] {
            let refusal = try await harness.send(.post, "/keys", json: request)
            #expect(try refusal.problem(400).pointer == "/\(member)")
        }
    }

    @Test func `key hashes match only when every byte is equal`() {
        let hash = KeyHash(of: "secret")
        #expect(hash.matches(KeyHash(of: "secret")))
        for number in 0..<5_000 {
            #expect(!hash.matches(KeyHash(of: "secret \(number)")), "\(number)")
        }
        #expect(!KeyHash(bytes: [0, 1]).matches(KeyHash(bytes: [1, 1])))
        #expect(!KeyHash(bytes: [1, 2]).matches(KeyHash(bytes: [1])))
    }
}
