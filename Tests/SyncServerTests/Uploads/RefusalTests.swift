import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Uploads that are refused before they enter the queue.
@Suite(.database)
struct RefusalTests {
    @Test func `upload of another media type is refused`() async throws {
        let zip = try SampleVenue.tiny.archive()
        try await Harness.run { harness in
            for type in [
                "text/plain", "application/geo+json", "application/zipper", "multipart/form-data; boundary=x", nil,
            ] as [String?] {
                try await harness.upload(zip, type: type).problem(415, "\(type ?? "none")")
                #expect(try await harness.count("upload") == 0)
                #expect(try await harness.count("venue") == 0)
            }
        }
    }

    @Test(arguments: ["application/zip", "application/octet-stream", "Application/ZIP; charset=binary"])
    func `upload is accepted with both media types of a zip`(type: String) async throws {
        try await Harness.run { harness in
            let response = try await harness.upload(SampleVenue.tiny.archive(), type: type)
            #expect(response.status == .accepted)
        }
    }

    @Test func `upload may be as large as the limit and not one byte larger`() async throws {
        try await Harness.run(largestArchive: 70_000) { harness in
            try await harness.upload([UInt8](repeating: 1, count: 70_001)).problem(413)
            #expect(try await harness.count("archive") == 0)
            #expect(try await harness.count("upload") == 0)
            #expect(try await harness.upload([UInt8](repeating: 1, count: 70_000)).status == .accepted)
        }
    }

    @Test func `upload is refused for its headers before its body is read`() async throws {
        try await Harness.run(largestArchive: 70_000) { harness in
            // Without a body, either would be refused as empty.
            try await harness.upload([], type: "text/plain").problem(415)
            try await harness.send(
                .post, "/venues/mall/uploads", type: "application/zip", headers: [.contentLength: "70001"]
            ).problem(413)
        }
    }

    @Test func `upload with an empty body is refused`() async throws {
        try await Harness.run { harness in
            try await harness.upload([]).problem(400)
            #expect(try await harness.count("archive") == 0)
            #expect(try await harness.count("venue") == 0)
        }
    }

    @Test func `upload with a malformed parameter is refused before anything is stored`() async throws {
        let zip = try SampleVenue.tiny.archive()
        try await Harness.run { harness in
            for query in [
                "publish=sometimes", "publish=2026-13-01T00:00:00Z", "strict=maybe", "strict=1", "create=perhaps",
                "base=ten", "base=-1", "identity=guess", "ids=guess", "message=a%00b",
            ] {
                try await harness.upload(zip, query: "?\(query)").problem(400, query)
                #expect(try await harness.count("archive") == 0)
                #expect(try await harness.count("venue") == 0)
            }
        }
    }

    @Test func `upload with create=false to an unknown venue is refused and creates nothing`() async throws {
        try await Harness.run { harness in
            let zip = try SampleVenue.tiny.archive()
            try await harness.upload(zip, to: "maul", query: "?create=false").problem(404)
            #expect(try await harness.count("venue") == 0)
            #expect(try await harness.count("archive") == 0)
            try await harness.push(zip)
            #expect(try await harness.push(zip, query: "?create=false").state == .unchanged)
            _ = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
            try await harness.upload(zip, query: "?create=false").problem(404)
            #expect(try await harness.push(zip, query: "?create=true").createdVenue)
        }
    }

    @Test func `venue key of invalid form is answered 404`() async throws {
        let zip = try SampleVenue.tiny.archive()
        try await Harness.run { harness in
            for name in [
                "Mall", "the%20mall", "mall.", ".mall", "a..b", "caf%C3%A9", "00000000-0000-4000-8000-000000000001",
                String(repeating: "a", count: 65),
            ] {
                try await harness.upload(zip, to: name).problem(404, name)
                try await harness.send(.get, "/venues/\(name)/sync").problem(404, name)
                #expect(try await harness.count("venue") == 0)
            }
        }
    }

    @Test(arguments: ["mall.staging", "a", "7-11", String(repeating: "a", count: 64)])
    func `venue key may have dots, digits and dashes`(name: String) async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(SampleVenue.tiny.archive(), to: name)
            #expect(upload.state == .published)
            #expect(try await harness.sync(of: name).venue.description == name)
        }
    }
}
