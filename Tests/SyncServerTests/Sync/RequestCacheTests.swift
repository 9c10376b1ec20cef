import HTTPTypes
import Hummingbird
import NIOHTTP1
import SyncModel
import SyncServer
import Testing

struct RequestCacheTests {
    private static let route = "/venues/{venue}/sync"
    private static let path = "/venues/mall/sync?since=AQ"

    private static func version(_ changeNumber: Int64, generation: Int = 1) -> ReadModel.Version {
        .init(generation: generation, changeNumber: changeNumber)
    }

    /// A response with a body of its own for every position.
    private static func response(_ position: Int64) throws -> EncodedResponse {
        let set = CatalogueChangeSet(
            from: nil, to: position, isComplete: true, cursor: CatalogueCursor(holding: nil), venues: [], gone: [])
        return try EncodedResponse(set)
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

    private static func response(
        of cache: RequestCache, to request: Request, at version: ReadModel.Version
    ) -> HTTPResponseHead? {
        cache.entry(for: .init(request), at: version)?.response?.head(ifNoneMatch: request.headers[.ifNoneMatch])
    }

    @Test func `cached response answers the same request while nothing has changed`() throws {
        let cache = RequestCache(bytes: 16 << 20)
        #expect(Self.response(of: cache, to: Self.request(), at: Self.version(7)) == nil)
        cache.keep(try Self.response(7), for: Self.request(), to: Self.route, at: Self.version(7))
        let response = try #require(Self.response(of: cache, to: Self.request(), at: Self.version(7)))
        #expect(response.status == .ok && response.headers["content-type"] == ["application/json"])
        for version in [Self.version(8), Self.version(6), Self.version(7, generation: 2)] {
            #expect(Self.response(of: cache, to: Self.request(), at: version) == nil)
        }
    }

    @Test func `cached response is not given to a request that differs in path, key or encoding`() throws {
        let cache = RequestCache(bytes: 16 << 20)
        cache.keep(try Self.response(1), for: Self.request(encoding: "gzip"), to: Self.route, at: Self.version(1))
        #expect(Self.response(of: cache, to: Self.request(encoding: "gzip"), at: Self.version(1)) != nil)
        let others = [
            Self.request("\(Self.path)&limit=1", encoding: "gzip"), Self.request(key: "b", encoding: "gzip"),
            Self.request(key: nil, encoding: "gzip"), Self.request(encoding: "br"), Self.request(),
        ]
        for other in others { #expect(Self.response(of: cache, to: other, at: Self.version(1)) == nil) }
    }

    @Test func `cached response answers a conditional request with 304`() throws {
        let cache = RequestCache(bytes: 16 << 20)
        cache.keep(try Self.response(1), for: Self.request(), to: Self.route, at: Self.version(1))
        let tag = try #require(
            Self.response(of: cache, to: Self.request(), at: Self.version(1))?.headers.first(name: "etag"))
        let again = Self.response(of: cache, to: Self.request(tag: tag), at: Self.version(1))
        #expect(again?.status == .notModified && again?.headers["etag"] == [tag])
        #expect(Self.response(of: cache, to: Self.request(tag: "W/\"other\""), at: Self.version(1))?.status == .ok)
    }

    @Test func `request cache is bounded and keeps what is used`() throws {
        let cache = RequestCache(bytes: 16 << 20)
        cache.keep(try Self.response(1), for: Self.request(), to: Self.route, at: Self.version(1))
        // Each entry costs at least 20,000 bytes of 16 MiB.
        let padding = String(repeating: "x", count: 20_000)
        for number in 0..<2_000 {
            cache.keep(
                try Self.response(1), for: Self.request("/\(number)\(padding)"), to: Self.route, at: Self.version(1))
            #expect(Self.response(of: cache, to: Self.request(), at: Self.version(1)) != nil)
        }
        #expect(Self.response(of: cache, to: Self.request("/0\(padding)"), at: Self.version(1)) == nil)
    }

    @Test func `request cache forgets everything on demand`() throws {
        let cache = RequestCache(bytes: 16 << 20)
        cache.keep(try Self.response(1), for: Self.request(), to: Self.route, at: Self.version(1))
        cache.removeAll()
        #expect(Self.response(of: cache, to: Self.request(), at: Self.version(1)) == nil)
    }
}
