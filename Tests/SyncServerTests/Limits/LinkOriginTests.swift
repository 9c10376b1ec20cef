import HTTPTypes
import IMDF
import SampleVenue
import SyncServer
import TestSupport
import Testing

/// Absolute links, which begin with the public address or with what the client has called the server.
@Suite(.database)
struct LinkOriginTests {
    private static let paths = [
        "/venues/mall/style.json", "/venues/mall/tiles/0.json", "/venues/mall/revisions/1/tiles/0.json?format=png",
        "/ogc/mall", "/ogc/mall/collections", "/ogc/mall/collections/unit/items?limit=1",
    ]

    private static func run(
        _ publicAddress: String?, _ test: @escaping @Sendable (String, TestResponse) -> Void
    ) async throws {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.publicAddress = publicAddress
        try await Harness.run(settings: settings) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            try await harness.set("public", to: true)
            for path in Self.paths { test(path, try await harness.send(.get, path, key: nil)) }
        }
    }

    @Test func `links that are made of the host of a request are not kept by shared caches`() async throws {
        try await Self.run(nil) { path, response in
            #expect(response.status == .ok && response.text.contains("http://localhost/"), "\(path)")
            #expect(response.parts(of: .cacheControl).contains("private"), "\(path)")
        }
    }

    @Test func `links begin with the public address, whatever a client calls the server`() async throws {
        try await Self.run("https://maps.example.com:8443") { path, response in
            #expect(response.status == .ok && response.text.contains("https://maps.example.com:8443/"), "\(path)")
            #expect(!response.text.contains("localhost"), "\(path)")
            #expect(response.parts(of: .cacheControl).contains("public"), "\(path)")
        }
    }
}
