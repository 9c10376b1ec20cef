import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct CachingTests {
    /// Publishes two revisions and returns a cursor of the first.
    private static func prepare(_ harness: Harness) async throws -> Cursor {
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        return cursor
    }

    @Test func `sync to a named revision is immutable, changes are fresh for a minute, no changes for two seconds`()
        async throws
    {
        let harness = Harness.current
        let old = try await Self.prepare(harness)
        let new = try await harness.sync().cursor
        let named = try await harness.send(.get, "/venues/mall/sync?since=\(old)&to=2")
        #expect(named.parts(of: .cacheControl) == ["private", "max-age=31536000", "immutable"])
        let changes = try await harness.send(.get, "/venues/mall/sync?since=\(old)")
        #expect(changes.parts(of: .cacheControl) == ["private", "max-age=60"])
        let none = try await harness.send(.get, "/venues/mall/sync?since=\(new)")
        #expect(none.parts(of: .cacheControl) == ["private", "max-age=2", "stale-while-revalidate=60"])
        for response in [named, changes, none] {
            #expect(response.parts(of: .vary) == ["authorization", "accept-encoding"])
        }
    }

    @Test func `sync of a public venue may be stored by shared caches`() async throws {
        let harness = Harness.current
        let old = try await Self.prepare(harness)
        try await harness.set("public", to: true)
        for query in ["", "since=\(old)", "since=\(old)&to=2"] {
            let response = try await harness.send(.get, "/venues/mall/sync?\(query)", key: nil)
            #expect(response.parts(of: .cacheControl).contains("public"))
            #expect(!response.parts(of: .cacheControl).contains("private"))
            #expect(response.parts(of: .vary) == ["accept-encoding"])
        }
    }

    @Test func `features and archives of a revision are immutable`() async throws {
        let harness = Harness.current
        _ = try await Self.prepare(harness)
        for path in ["features", "features?type=unit", "archive.zip"] {
            let response = try await harness.send(.get, "/venues/mall/revisions/1/\(path)")
            #expect(response.parts(of: .cacheControl) == ["private", "max-age=31536000", "immutable"], "\(path)")
        }
    }

    @Test func `conditional request with a current tag is answered 304`() async throws {
        let harness = Harness.current
        let old = try await Self.prepare(harness)
        for path in ["sync", "sync?since=\(old)", "sync?since=\(old)&to=2", "revisions/2/features"] {
            let first = try await harness.send(.get, "/venues/mall/\(path)")
            let tag = try #require(first.headers[.eTag])
            for known in [tag, "\"other\", \(tag)", "*"] {
                let again = try await harness.send(.get, "/venues/mall/\(path)", headers: [.ifNoneMatch: known])
                #expect(again.status == .notModified && again.data.isEmpty, "\(path) \(known)")
                #expect(again.headers[.eTag] == tag)
                #expect(again.parts(of: .cacheControl) == first.parts(of: .cacheControl))
                #expect(again.parts(of: .vary) == first.parts(of: .vary))
            }
            let other = try await harness.send(.get, "/venues/mall/\(path)", headers: [.ifNoneMatch: "W/\"other\""])
            #expect(other.status == .ok && other.data == first.data)
        }
    }

    @Test func `change set: its tag is weak and differs between different responses`() async throws {
        let harness = Harness.current
        let old = try await Self.prepare(harness)
        let changes = try await harness.send(.get, "/venues/mall/sync?since=\(old)").headers[.eTag]
        #expect(changes?.hasPrefix("W/\"") == true)
        let page = try await harness.send(.get, "/venues/mall/sync?limit=3").headers[.eTag]
        let half = try await harness.send(.get, "/venues/mall/sync?level=venue").headers[.eTag]
        #expect(Set([changes, page, half]).count == 3)
        try await harness.set("time_zone", to: "Asia/Tokyo")
        #expect(try await harness.send(.get, "/venues/mall/sync?since=\(old)").headers[.eTag] != changes)
        try await harness.set("time_zone", to: .null)
        #expect(try await harness.send(.get, "/venues/mall/sync?since=\(old)").headers[.eTag] == changes)
    }
}
