import Compression
import HTTPTypes
import Hummingbird
import RevisionStore
import SyncModel
import Testing

@testable import SyncServer

/// What the response cache keeps of requests that were sent before.
struct ResponseCacheTests {
    private static let route = "/venues/{venue}/sync"
    private static let path = "/venues/mall/sync?since=AQ"

    private let cache = ResponseCache()

    private static func version(_ changeNumber: Int64, generation: Int = 1) -> ReadModel.Version {
        .init(generation: generation, changeNumber: changeNumber, authorizationNumber: 0)
    }

    private static func key(_ revision: Int64) -> ResponseCache.QueryKey {
        let query = CollectionQuery(venue: 1, epoch: 1, revision: revision, filter: FeatureFilter(), isStrict: false)
        return .init(query: .collection(query), generation: 1, encoding: nil)
    }

    private static func request(
        _ path: String = path, key: String? = "a", encoding: String? = nil, tag: String? = nil
    ) -> Request {
        var headers: HTTPFields = [:]
        headers[.authorization] = key.map { "Bearer \($0)" }
        headers[.acceptEncoding] = encoding
        headers[.ifNoneMatch] = tag
        return Request(path, headers: headers)
    }

    /// Computes the response to a query, and keeps that a request has it.
    private func keep(_ revision: Int64, for request: Request, at version: ReadModel.Version) async throws {
        let set = CatalogueChangeSet(
            from: nil, to: revision, isComplete: true, cursor: CatalogueCursor(holding: nil), venues: [], gone: [])
        let key = Self.key(revision)
        _ = try await self.cache.response(to: key) { .encoded(try EncodedResponse(set)) }
        self.cache.keep(.response(to: key), for: request, to: Self.route, at: version)
    }

    private func response(to request: Request, at version: ReadModel.Version) -> Response? {
        guard case .response(let response) = self.cache.outcome(of: request, at: version)?.outcome else { return nil }
        return response.response(for: request)
    }

    @Test func `cached response answers the same request while nothing has changed`() async throws {
        #expect(self.response(to: Self.request(), at: Self.version(7)) == nil)
        try await self.keep(7, for: Self.request(), at: Self.version(7))
        let response = try #require(self.response(to: Self.request(), at: Self.version(7)))
        #expect(response.status == .ok && response.headers[.contentType] == "application/json")
        for version in [Self.version(8), Self.version(6), Self.version(7, generation: 2)] {
            #expect(self.response(to: Self.request(), at: version) == nil)
        }
    }

    @Test func `cached response is not given to a request that differs in path, key or encoding`() async throws {
        try await self.keep(1, for: Self.request(encoding: "gzip"), at: Self.version(1))
        #expect(self.response(to: Self.request(encoding: "gzip"), at: Self.version(1)) != nil)
        let others = [
            Self.request("\(Self.path)&limit=1", encoding: "gzip"), Self.request(key: "b", encoding: "gzip"),
            Self.request(key: nil, encoding: "gzip"), Self.request(encoding: "br"), Self.request(),
        ]
        for other in others { #expect(self.response(to: other, at: Self.version(1)) == nil) }
    }

    @Test func `cached response answers a conditional request with 304`() async throws {
        try await self.keep(1, for: Self.request(), at: Self.version(1))
        let tag = try #require(self.response(to: Self.request(), at: Self.version(1))?.headers[.eTag])
        let again = self.response(to: Self.request(tag: tag), at: Self.version(1))
        #expect(again?.status == .notModified && again?.headers[.eTag] == tag)
        #expect(self.response(to: Self.request(tag: "W/\"other\""), at: Self.version(1))?.status == .ok)
    }

    @Test func `number of requests is bounded, and those that are sent again stay`() async throws {
        try await self.keep(1, for: Self.request(), at: Self.version(1))
        // Each costs at least 20,000 bytes of 16 MiB.
        let padding = String(repeating: "x", count: 20_000)
        for number in 0..<2_000 {
            let request = Self.request("/\(number)\(padding)")
            self.cache.keep(.response(to: Self.key(1)), for: request, to: Self.route, at: Self.version(1))
            #expect(self.response(to: Self.request(), at: Self.version(1)) != nil)
        }
        #expect(self.response(to: Self.request("/0\(padding)"), at: Self.version(1)) == nil)
    }

    @Test func `request whose response is no longer in memory has none`() {
        self.cache.keep(.response(to: Self.key(1)), for: Self.request(), to: Self.route, at: Self.version(1))
        #expect(self.response(to: Self.request(), at: Self.version(1)) == nil)
    }

    @Test func `request that waits is kept with what it waits for`() {
        let wait = LongPolls.Wait(subject: .anyChange, number: 7, timeout: .seconds(30))
        self.cache.keep(.wait(wait), for: Self.request(), to: Self.route, at: Self.version(1))
        guard case .wait(let kept) = self.cache.outcome(of: Self.request(), at: Self.version(1))?.outcome else {
            Issue.record("The request has no outcome.")
            return
        }
        #expect(kept.number == 7 && kept.timeout == .seconds(30))
        #expect(self.cache.outcome(of: Self.request(), at: Self.version(2)) == nil)
    }
}
