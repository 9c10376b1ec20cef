import Compression
import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct ContentEncodingTests {
    private static func ask(
        _ harness: Harness, _ query: String, accepting coding: String?
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.acceptEncoding] = coding
        return try await harness.send(.get, "/venues/mall/sync?\(query)", headers: headers)
    }

    @Test func `content negotiation picks the client's preferred encoding of the same response`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let plain = try await Self.ask(harness, "", accepting: nil)
        #expect(plain.headers[.contentEncoding] == nil)
        for coding in ContentCoding.allCases {
            let encoded = try await Self.ask(harness, "", accepting: coding.rawValue)
            #expect(encoded.headers[.contentEncoding] == coding.rawValue)
            #expect(encoded.headers[.eTag] == plain.headers[.eTag])
            #expect(encoded.data.count < plain.data.count / 3)
            #expect(try Array(encoded.data) == coding.compressed(Array(plain.data)))
        }
        #expect(try await Self.ask(harness, "", accepting: "deflate").headers[.contentEncoding] == nil)
    }

    @Test func `compression: a tiny response is not compressed`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        let nothing = try await Self.ask(harness, "since=\(cursor)", accepting: "br, gzip")
        #expect(nothing.headers[.contentEncoding] == nil)
        #expect(try nothing.changeSet.blocks.isEmpty)
    }

    @Test func `page too large for the cache is streamed with the same content`() async throws {
        let harness = Harness.current
        let venue = SampleVenue(.init(levels: 4, unitsPerLevel: 700))
        try await harness.push(venue.archive())
        let plain = try await Self.ask(harness, "limit=50000", accepting: nil)
        #expect(plain.data.count > 1 << 20)
        var replica = Replica()
        try replica.apply([plain.changeSet])
        #expect(replica.features.mapValues(\.body) == venue.bodies)
        let encoded = try await Self.ask(harness, "limit=50000", accepting: "gzip")
        #expect(encoded.headers[.contentEncoding] == "gzip" && encoded.data.count < plain.data.count / 3)
        let head = try await harness.send(.head, "/venues/mall/sync?limit=50000")
        #expect(head.headers[.contentLength] == "\(plain.data.count)")
        let small = try await harness.pages(limit: 97)
        var other = Replica()
        try other.apply(small)
        #expect(other == replica)
    }

    @Test func `page over all venues too large for the cache is streamed with the same content`() async throws {
        let harness = Harness.current
        let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 400))
        for name in ["hall", "mall"] { try await harness.push(venue.archive(), to: name) }
        let plain = try await harness.send(.get, "/sync?limit=50000")
        #expect(plain.data.count > 1 << 20)
        var (whole, pages) = (CatalogueReplica(), CatalogueReplica())
        try whole.apply([plain.changes])
        try pages.apply(await harness.cataloguePages(limit: 500))
        #expect(whole.bodies == pages.bodies && whole.cursor == pages.cursor && whole.venues.count == 2)
        var headers = HTTPFields()
        for coding in ContentCoding.allCases {
            headers[.acceptEncoding] = coding.rawValue
            let encoded = try await harness.send(.get, "/sync?limit=50000", headers: headers)
            #expect(encoded.headers[.contentEncoding] == coding.rawValue)
            #expect(encoded.headers[.eTag] == plain.headers[.eTag])
            #expect(encoded.data.count < plain.data.count / 3)
        }
        headers = [.ifNoneMatch: try #require(plain.headers[.eTag])]
        let known = try await harness.send(.get, "/sync?limit=50000", headers: headers)
        #expect(known.status == .notModified && known.data.isEmpty)
    }
}
