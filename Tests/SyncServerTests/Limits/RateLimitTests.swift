import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct RateLimitTests {
    private static func settings(_ limit: RateLimit?, proxies: Int = 1) -> ServerSettings {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.rateLimit = limit
        settings.proxies = proxies
        // No time passes, so nothing that was counted is forgotten, however slow the machine is.
        settings.rateLimitClock = { 0 }
        return settings
    }

    private static func from(_ address: String) -> HTTPFields { [.forwardedFor: address] }

    private static let slow = RateLimit(perSecond: 0.001, burst: 3)

    @Test func `rate limit: a client over it is answered 429 with Retry-After, and others are not affected`()
        async throws
    {
        try await Harness.run(settings: Self.settings(Self.slow)) { harness in
            for _ in 0..<3 {
                #expect(try await harness.send(.get, "/venues", headers: Self.from("192.0.2.1")).status == .ok)
            }
            let refusal = try await harness.send(.get, "/venues", headers: Self.from("192.0.2.1"))
            #expect(try refusal.problem(429).type == "/problems/rate-limited")
            let seconds = try #require(refusal.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...1_000).contains(seconds))
            #expect(refusal.headers[HTTPField.Name("X-Request-ID")!] != nil)
            // The same key from another address, and another key from the same one.
            #expect(try await harness.send(.get, "/venues", headers: Self.from("192.0.2.2")).status == .ok)
            let other = try await harness.send(.get, "/venues", key: "another", headers: Self.from("192.0.2.1"))
            #expect(other.status == .unauthorized)
            // Monitoring is not counted.
            for path in ["/health", "/ready", "/metrics"] {
                #expect(try await harness.send(.get, path, headers: Self.from("192.0.2.1")).status == .ok)
            }
            let metrics = try await harness.send(.get, "/metrics", key: nil).text
            #expect(metrics.contains("\nvenue_rate_limited_total 1\n"))
        }
    }

    @Test func `rate limit: the OpenAPI document describes the refusal`() async throws {
        try await Harness.run(settings: Self.settings(Self.slow)) { harness in
            let document = try await OpenAPIDocument(servedTo: harness)
            let recorder = Recorder(harness.client)
            for operation in document.operations where operation.responses.contains("429") {
                let method = try #require(HTTPRequest.Method(operation.method))
                let path = operation.path.replacing(/{\w+}/, with: "x")
                for _ in 0..<4 {
                    let harness = Harness(server: harness.server, client: recorder)
                    _ = try await harness.send(method, path, key: nil, headers: Self.from("192.0.2.1"))
                }
            }
            let refused = recorder.exchanges.filter { $0.response.status == .tooManyRequests }
            #expect(refused.count > 20)
            for exchange in refused { #expect(document.faults(in: exchange) == [], "\(exchange.name)") }
        }
    }

    @Test func `rate limit: clients without a key are limited by address`() async throws {
        try await Harness.run(settings: Self.settings(Self.slow)) { harness in
            for _ in 0..<3 { _ = try await harness.send(.get, "/venues/mall", key: nil, headers: Self.from("::1")) }
            let refused = try await harness.send(.get, "/venues/mall", key: nil, headers: Self.from("::1"))
            #expect(refused.status == .tooManyRequests)
            // Clients choose the lower half of an IPv6 address freely, so it is ignored. An IPv4 address is the same in
            // every notation.
            let same = try await harness.send(.get, "/venues/mall", key: nil, headers: Self.from("::dead:beef"))
            #expect(same.status == .tooManyRequests)
            let other = try await harness.send(.get, "/venues/mall", key: nil, headers: Self.from("2001:db8::1"))
            #expect(other.status == .unauthorized)
        }
    }

    @Test func `rate limit: addresses that a client adds to X-Forwarded-For are ignored`() async throws {
        try await Harness.run(settings: Self.settings(Self.slow)) { harness in
            for number in 0..<3 {
                let fields = Self.from("10.0.0.\(number), 192.0.2.9:443")
                #expect(try await harness.send(.get, "/venues", headers: fields).status == .ok)
            }
            for field in ["192.0.2.9", "9.9.9.9, [::ffff:192.0.2.9]:1", "junk,192.0.2.9 "] {
                let response = try await harness.send(.get, "/venues", headers: Self.from(field))
                #expect(response.status == .tooManyRequests, "\(field)")
            }
        }
        // Without a proxy the field is ignored.
        try await Harness.run(settings: Self.settings(Self.slow, proxies: 0)) { harness in
            for number in 0..<4 {
                let response = try await harness.send(.get, "/venues", headers: Self.from("10.0.0.\(number)"))
                #expect(response.status == (number < 3 ? .ok : .tooManyRequests))
            }
        }
    }

    @Test func `rate limit: lookups of invented keys are limited by address, and valid keys are not affected`()
        async throws
    {
        try await Harness.run(settings: Self.settings(nil)) { harness in
            let (here, there) = (Self.from("192.0.2.1"), Self.from("192.0.2.2"))
            #expect(try await harness.send(.get, "/venues", headers: here).status == .ok)
            var refused = 0
            for number in 0..<200 {
                let response = try await harness.send(.get, "/venues", key: "wrong \(number)", headers: here)
                #expect(response.status == .unauthorized || response.status == .tooManyRequests)
                if response.status == .tooManyRequests { refused += 1 }
            }
            #expect(refused == 100)
            // The valid key still works from both addresses, and a wrong one from another address is refused with 401.
            #expect(try await harness.send(.get, "/venues", headers: here).status == .ok)
            #expect(try await harness.send(.get, "/venues", headers: there).status == .ok)
            #expect(try await harness.send(.get, "/venues", key: "wrong", headers: there).status == .unauthorized)
            // A request without a key is no guess.
            #expect(try await harness.send(.get, "/venues", key: nil, headers: here).status == .unauthorized)
        }
    }

    @Test func `rate limit: clients with invented keys are limited by address, also on public venues`() async throws {
        try await Harness.run(settings: Self.settings(Self.slow)) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            try await harness.set("public", to: true)
            let here = Self.from("192.0.2.1")
            for number in 0..<5 {
                let response = try await harness.send(.get, "/venues/mall", key: "made up \(number)", headers: here)
                #expect(response.status == (number < 3 ? .ok : .tooManyRequests))
            }
            // A valid key has its own bucket.
            #expect(try await harness.send(.get, "/venues/mall", headers: here).status == .ok)
        }
    }

    @Test func `rate limit: a wrong key accepted by a public venue does not count as valid elsewhere`() async throws {
        try await Harness.run(settings: Self.settings(nil)) { harness in
            for name in ["hall", "mall"] { try await harness.push(SampleVenue.tiny.archive(), to: name) }
            try await harness.set("public", to: true)
            let here = Self.from("192.0.2.1")
            var refused = 0
            for number in 0..<200 {
                let key = "wrong \(number)"
                let open = try await harness.send(.get, "/venues/mall", key: key, headers: here)
                // A public venue never refuses a wrong key.
                #expect(open.status == .ok)
                let guess = try await harness.send(.get, "/venues/hall", key: key, headers: here)
                #expect(guess.status == .unauthorized || guess.status == .tooManyRequests)
                if guess.status == .tooManyRequests { refused += 1 }
            }
            #expect(refused > 0 && refused <= 100)
            // A valid key still works from this address, even if it was not used before.
            let key = try await harness.makeKey(.read, for: ["hall"])
            #expect(try await harness.send(.get, "/venues/hall", key: key, headers: here).status == .ok)
        }
    }

    @Test func `token bucket refills at its rate, up to the burst`() {
        let limit = RateLimit(perSecond: 10, burst: 2)
        var bucket = RateLimit.Bucket(limit, at: 0)
        #expect(bucket.take(limit, at: 0) == nil && bucket.take(limit, at: 0) == nil)
        #expect(bucket.take(limit, at: 0) == 0.1)
        #expect(bucket.take(limit, at: 0.1) == nil && bucket.take(limit, at: 0.1) != nil)
        // A clock that goes backwards refills nothing.
        #expect(bucket.take(limit, at: -100) != nil)
        for _ in 0..<2 { #expect(bucket.take(limit, at: 1_000) == nil) }
        #expect(bucket.take(limit, at: 1_000) != nil)
    }

    @Test(arguments: [("200", 200.0, 2_000.0), ("0.5:3", 0.5, 3), ("1:1", 1, 1)])
    func `rate limit is parsed from one number or two`(text: String, perSecond: Double, burst: Double) {
        #expect(RateLimit(text) == RateLimit(perSecond: perSecond, burst: burst))
    }

    @Test(arguments: ["", ":", "0", "-1", "nan", "inf", "1:0", "1:2:3", "1:", ":1", "x", "0.01", "1e-20:1"])
    func `rate limit that is invalid is refused`(text: String) {
        #expect(RateLimit(text) == nil)
    }

    @Test func `sharded LRU cache is bounded and keeps the latest entries`() {
        let table = ShardedLRUCache<Int>(capacity: 1_600)
        for key in 0..<100_000 as Range<UInt64> {
            table.set(key, to: Int(key))
            #expect(table.touch(0) && table.peek(key) == Int(key))
        }
        #expect(table.count <= 1_600)
        #expect(table.peek(1) == nil && table.peek(0) == 0)
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = Self("X-Forwarded-For")!
}
