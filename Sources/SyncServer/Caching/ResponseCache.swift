import Caching
import Compression

/// The responses of the read API by query, encoded, in bounded memory.
///
/// A query names the state that it is applied to, so its response never changes. It is computed once and compressed once for each
/// encoding, however many requests need it, also at the same time.
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

    private let responses = LRUCache<QueryKey, CachedResponse>(cost: 52 << 20)
    private let computations = SingleFlight<QueryKey, CachedResponse>()

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
        if let response = self.responses.value(for: key) {
            guard let encoding, let joined = response.joined(in: encoding) else { return response }
            self.responses.keep(joined, for: key, cost: joined.cost + query.cost)
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
            self.responses.keep(response.withoutChunks, for: key, cost: response.cost + query.cost)
            return response
        }
    }
}
