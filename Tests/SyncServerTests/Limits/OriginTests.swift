import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct OriginTests {
    private static let page = "https://maps.example.com"

    private static func settings(_ origins: String) throws -> ServerSettings {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.origins = try #require(AllowedOrigins(origins))
        settings.rateLimit = RateLimit(perSecond: 0.001, burst: 40)
        return settings
    }

    private static func preflight(
        _ harness: Harness, _ path: String, _ method: String = "GET", from origin: String = Self.page
    ) async throws -> TestResponse {
        try await harness.send(
            .options, path, key: nil,
            headers: [
                .origin: origin, .accessControlRequestMethod: method, .accessControlRequestHeaders: "authorization",
            ])
    }

    @Test(arguments: [
        ("/venues/mall/sync", "GET"), ("/venues/mall", "PATCH"), ("/venues/mall/uploads", "POST"),
        ("/keys/1", "DELETE"),
    ])
    func `CORS preflight is answered for every route, without a key`(
        path: String, method: String
    ) async throws {
        try await Harness.run(settings: Self.settings("\(Self.page), http://localhost:5173")) { harness in
            let response = try await Self.preflight(harness, path, method)
            #expect(response.status == .noContent && response.data.isEmpty)
            #expect(response.headers[.accessControlAllowOrigin] == Self.page)
            #expect(response.parts(of: .accessControlAllowMethods).contains(method.lowercased()))
            #expect(response.parts(of: .accessControlAllowHeaders).isSuperset(of: ["authorization", "content-type"]))
            #expect(response.headers[.accessControlAllowCredentials] == nil)
            #expect(response.parts(of: .vary) == ["origin"])
        }
    }

    @Test func `CORS: an allowed origin can read every response, including errors`() async throws {
        try await Harness.run(settings: Self.settings(Self.page)) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let page: HTTPFields = [.origin: Self.page]
            var responses = [
                try await harness.send(.get, "/venues/mall/sync", headers: page),
                try await harness.send(.get, "/venues/mall/sync", key: nil, headers: page),
                try await harness.send(.get, "/venues/nowhere/sync", headers: page),
                try await harness.send(.get, "/nothing", headers: page),
                try await harness.send(.put, "/venues/mall", headers: page),
                try await harness.send(.get, "/venues/mall/sync?since=x", headers: page),
            ]
            #expect(responses.map(\.status.code) == [200, 401, 404, 404, 405, 400])
            let tag = try #require(responses[0].headers[.eTag])
            responses.append(
                try await harness.send(
                    .get, "/venues/mall/sync", headers: [.origin: Self.page, .ifNoneMatch: tag]))
            #expect(responses.last?.status == .notModified)
            while responses.last?.status != .tooManyRequests, responses.count < 100 {
                responses.append(try await harness.send(.get, "/venues", headers: page))
            }
            #expect(responses.last?.status == .tooManyRequests)
            for response in responses {
                #expect(response.headers[.accessControlAllowOrigin] == Self.page, "\(response.status)")
                let exposed = response.parts(of: .accessControlExposeHeaders)
                #expect(exposed.isSuperset(of: ["etag", "location", "retry-after", "x-request-id"]))
                #expect(response.parts(of: .vary).contains("origin"))
                #expect(response.headers[.accessControlAllowCredentials] == nil)
            }
        }
    }

    @Test(arguments: [
        "https://evil.example", "null", "https://maps.example.com.evil.example", "http://maps.example.com", "",
    ])
    func `CORS: another origin gets no CORS headers, but Vary tells caches that origins differ`(origin: String)
        async throws
    {
        try await Harness.run(settings: Self.settings(Self.page)) { harness in
            let response = try await harness.send(.get, "/venues", headers: [.origin: origin])
            #expect(response.status == .ok && response.headers[.accessControlAllowOrigin] == nil)
            #expect(response.headers[.accessControlExposeHeaders] == nil)
            #expect(response.parts(of: .vary).contains("origin"))
            let asked = try await Self.preflight(harness, "/venues", from: origin)
            #expect(asked.status == .methodNotAllowed && asked.headers[.accessControlAllowOrigin] == nil)
            #expect(try await harness.send(.get, "/venues").parts(of: .vary).contains("origin"))
        }
    }

    @Test func `CORS: a wildcard origin allows every page with one response for all`() async throws {
        try await Harness.run(settings: Self.settings("*")) { harness in
            let response = try await harness.send(.get, "/venues", headers: [.origin: "https://anywhere.example"])
            #expect(response.headers[.accessControlAllowOrigin] == "*")
            #expect(response.headers[.accessControlAllowCredentials] == nil)
            #expect(!response.parts(of: .vary).contains("origin"))
        }
    }

    @Test func `CORS is off unless it is configured`() async throws {
        try await Harness.run { harness in
            let response = try await harness.send(.get, "/venues", headers: [.origin: Self.page])
            #expect(response.headers[.accessControlAllowOrigin] == nil && !response.parts(of: .vary).contains("origin"))
            #expect(try await Self.preflight(harness, "/venues").status == .methodNotAllowed)
        }
    }

    @Test(arguments: [
        "maps.example.com", "https://maps.example.com/", "https://*.example.com", "null", "*, https://a.example",
        "ftp://a.example", "https://a.example/x", "https://u@a.example", "https://a.example:x",
    ])
    func `CORS: an invalid origin is refused when the server starts`(text: String) {
        #expect(AllowedOrigins(text) == nil)
    }

    @Test func `CORS: origins are compared in normalised form`() {
        let origins = AllowedOrigins(" HTTPS://Maps.Example.com ,, http://[::1]:5173")
        #expect(origins == .these([Self.page, "http://[::1]:5173"]))
        #expect(AllowedOrigins("") == AllowedOrigins.none && AllowedOrigins(" * ") == .any)
    }
}
