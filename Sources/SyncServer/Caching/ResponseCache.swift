import Caching
import Compression
package import Hummingbird
import RevisionStore

/// The responses of the read API, encoded, in bounded memory.
///
/// It has two indexes over the same encoded responses:
///
/// - **By query.** A query names the state that it is applied to, so its response never changes. It is computed once and compressed
///   once for each encoding, however many requests need it, also at the same time.
/// - **By request**, in a ``RequestCache``. Large responses are found by query only.
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

    private struct QueryKey: Hashable {
        let query: Query
        /// In another generation the same query has another response.
        let generation: Int
        let encoding: ContentCoding?
    }

    package init() {}

    private let byQuery = LRUCache<QueryKey, CachedResponse>(cost: 52 << 20)
    private let byRequest = RequestCache(bytes: 16 << 20)
    private let computations = SingleFlight<QueryKey, CachedResponse>()

    /// The response to the same request, if nothing has changed since.
    ///
    /// - Parameter version: The confirmed version of the read model.
    package func response(to request: Request, at version: ReadModel.Version) -> Response? {
        self.byRequest.response(to: request, at: version)
    }

    /// - Parameter version: The confirmed version of the read model when the request began.
    package func keep(_ response: CachedResponse, for request: Request, at version: ReadModel.Version) {
        guard case .encoded(let encoded) = response else { return }
        self.byRequest.keep(encoded, for: request, at: version)
    }

    /// Forgets the responses by request. The others name the generation that they belong to.
    package func removeAll() {
        self.byRequest.removeAll()
    }

    /// The response to a query, computed if it is not in memory.
    ///
    /// - Parameters:
    ///   - generation: The generation of the read model before the query was made.
    ///   - compute: Computes the uncompressed response.
    func response(
        to query: Query, generation: Int, encoding: ContentCoding?,
        _ compute: @escaping @Sendable () async throws -> CachedResponse
    ) async throws -> CachedResponse {
        let key = QueryKey(query: query, generation: generation, encoding: encoding)
        if let response = self.byQuery.value(for: key) {
            guard let encoding, let joined = response.joined(in: encoding) else { return response }
            self.byQuery.keep(joined, for: key, cost: joined.cost + query.cost)
            return joined
        }
        return try await self.computations.value(for: key) {
            let response: CachedResponse
            if let encoding {
                response = try await self.response(to: query, generation: generation, encoding: nil, compute)
                    .compressed(encoding)
            } else {
                response = try await compute()
            }
            self.byQuery.keep(response.withoutChunks, for: key, cost: response.cost + query.cost)
            return response
        }
    }
}
