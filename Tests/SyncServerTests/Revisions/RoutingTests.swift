import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct RoutingTests {
    @Test func `routing: an unknown path is answered with a problem document`() async throws {
        let harness = Harness.current
        for path in [
            "/console/nothing", "/nothing", "/venues/mall/nothing", "/venues/mall/revisions/1/nothing",
            "/venues/mall/sync/x",
        ] {
            let response = try await harness.send(.get, path)
            try response.problem(404, path)
        }
    }

    @Test func `routing: a method that a path does not support is answered with a problem document`() async throws {
        let harness = Harness.current
        for (name, path) in [
            ("PUT", "/venues/mall"), ("POST", "/venues/mall/sync"), ("DELETE", "/venues/mall/revisions/1"),
            ("PATCH", "/keys"), ("POST", "/health"),
        ] {
            let method = try #require(HTTPRequest.Method(name))
            let response = try await harness.send(method, path)
            #expect(try response.problem(405, path).type == "/problems/method-not-allowed")
            #expect(!response.parts(of: .allow).isEmpty && !response.parts(of: .allow).contains(name.lowercased()))
        }
    }

    @Test func `routing: a refused method is answered with the allowed ones`() async throws {
        let harness = Harness.current
        let venue = try await harness.send(.put, "/venues/mall")
        #expect(venue.parts(of: .allow) == ["get", "head", "patch", "delete"])
        let revision = try await harness.send(.head, "/venues/mall/rollback")
        #expect(revision.status == .methodNotAllowed && revision.parts(of: .allow) == ["post"])
    }

    @Test func `HEAD answers like GET without the body`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let id = SampleVenue.tiny.features[0].id
        let paths = [
            "", "/sync", "/revisions", "/revisions/1/features", "/revisions/1/features?has_geometry=true",
            "/revisions/1/archive.zip", "/features/\(id)",
        ]
        for path in paths {
            let full = try await harness.send(.get, "/venues/mall\(path)")
            let head = try await harness.send(.head, "/venues/mall\(path)")
            #expect(head.status == .ok && head.data.isEmpty && !full.data.isEmpty, "\(path)")
            for name in [HTTPField.Name.contentType, .eTag, .cacheControl, .vary] {
                #expect(head.headers[name] == full.headers[name], "\(path) \(name)")
            }
            // Also for streamed responses, whose GET has no Content-Length.
            #expect(head.headers[.contentLength] == "\(full.data.count)", "\(path)")
        }
        #expect(try await harness.send(.head, "/venues/nowhere/sync").status == .notFound)
    }

    @Test(arguments: ["/health", "/ready"])
    func `health checks need no key`(path: String) async throws {
        let harness = Harness.current
        let response = try await harness.send(.get, path, key: nil)
        #expect(response.status == .ok && response.parts(of: .cacheControl).contains("no-store"))
    }
}
