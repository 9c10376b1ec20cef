import Caching
import Compression
import HTTPTypes
import Hummingbird
import SystemCrypto

/// The responses of the read API by query, encoded, in bounded memory, and what was found for requests that were sent before.
///
/// A query names the state that it is applied to, so its response never changes. It is computed once and compressed once for each
/// encoding, however many requests need it, also at the same time.
///
/// Most polls were sent before, byte for byte. What was found for one holds as long as nothing has changed, neither a venue nor a key, and
/// an ``ImmediateResponder`` takes it from here without reading the parameters of the request.
package final class ResponseCache: Sendable {
    enum Query: Hashable, Sendable {
        case sync(SyncQuery)
        case catalogue(CatalogueSyncQuery)
        case collection(CollectionQuery)

        fileprivate var cost: Int {
            switch self {
            case .sync(let query): query.cost
            case .catalogue(let query): query.cost
            case .collection(let query): query.cost
            }
        }
    }

    struct QueryKey: Hashable, Sendable {
        let query: Query
        /// The generation of the read model before the query was made. In another generation the same query has another response.
        let generation: Int
        let encoding: ContentCoding?
    }

    /// What was found for a request.
    enum Finding: Sendable {
        case response(to: QueryKey)
        /// The client has everything, and asked to wait for a change.
        case wait(LongPolls.Wait)

        fileprivate var cost: Int { if case .response(let key) = self { key.query.cost } else { 0 } }
    }

    /// What the outcome of a request depends on besides the state of the read model.
    private struct RequestKey: Hashable {
        let path: String
        /// A digest of the header field, so that no key is kept.
        let authorization: [UInt8]?
        let acceptEncoding: String?

        init(_ request: Request) {
            self.path = request.head.path ?? ""
            self.authorization = request.headers[.authorization].map { SHA256.hash(of: $0.utf8) }
            self.acceptEncoding = request.headers[.acceptEncoding]
        }

        var cost: Int { 2_000 + self.path.utf8.count + (self.acceptEncoding?.utf8.count ?? 0) }
    }

    private struct KnownRequest {
        let finding: Finding
        /// The route of the request, for metrics.
        let route: String
        let version: ReadModel.Version
    }

    private let responses = LRUCache<QueryKey, CachedResponse>(cost: 52 << 20)
    private let computations = SingleFlight<QueryKey, CachedResponse>()
    private let requests = LRUCache<RequestKey, KnownRequest>(cost: 16 << 20)

    package init() {}

    // MARK: - Queries

    /// The response to a query, computed if it is not in memory.
    ///
    /// - Parameter compute: Computes the uncompressed response.
    func response(
        to key: QueryKey, _ compute: @escaping @Sendable () async throws -> CachedResponse
    ) async throws -> CachedResponse {
        if let response = self.responses.value(for: key) {
            guard let encoding = key.encoding, let joined = response.joined(in: encoding) else { return response }
            self.responses.keep(joined, for: key, cost: joined.cost + key.query.cost)
            return joined
        }
        return try await self.computations.value(for: key) {
            let response: CachedResponse
            if let encoding = key.encoding {
                let plain = QueryKey(query: key.query, generation: key.generation, encoding: nil)
                response = try await self.response(to: plain, compute).compressed(encoding)
            } else {
                response = try await compute()
            }
            self.responses.keep(response.withoutChunks, for: key, cost: response.cost + key.query.cost)
            return response
        }
    }

    // MARK: - Requests

    /// A larger body, in bytes, takes long to send: permissions are confirmed meanwhile, and the connection waits for a slow client.
    private static let maxBodyBytes = 64 << 10

    enum Outcome {
        case response(EncodedResponse)
        case wait(LongPolls.Wait)
    }

    /// What was found for the same request, if nothing has changed since and its response is still in memory.
    ///
    /// - Parameter version: The confirmed version of the read model.
    func outcome(of request: Request, at version: ReadModel.Version) -> (outcome: Outcome, route: String)? {
        guard let known = self.requests.value(for: RequestKey(request)), known.version == version else { return nil }
        switch known.finding {
        case .wait(let wait): return (.wait(wait), known.route)
        case .response(let key):
            guard case .encoded(let response) = self.responses.value(for: key),
                response.body.readableBytes <= Self.maxBodyBytes
            else { return nil }
            return (.response(response), known.route)
        }
    }

    /// - Parameters:
    ///   - route: The route of the request.
    ///   - version: The confirmed version of the read model when the request began.
    func keep(_ finding: Finding, for request: Request, to route: String, at version: ReadModel.Version) {
        let key = RequestKey(request)
        self.requests.keep(
            KnownRequest(finding: finding, route: route, version: version), for: key, cost: key.cost + finding.cost)
    }
}
