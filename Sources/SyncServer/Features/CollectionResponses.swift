import Compression
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What a FeatureCollection of a revision depends on. It never changes.
struct CollectionQuery: Hashable, Sendable {
    let venue: Int64
    let epoch: Int64
    let revision: Int64
    let filter: FeatureFilter
    let isStrict: Bool

    /// The bytes that it takes to keep the query.
    var cost: Int {
        let types = self.filter.types?.reduce(0) { $0 + 32 + $1.rawValue.utf8.count } ?? 0
        return 1 << 10 + 16 * (self.filter.levels?.count ?? 0) + types
    }
}

/// Features of revisions as FeatureCollections.
struct CollectionResponses: Sendable {
    let cache: ResponseCache
    let chunks: ChunkCache

    /// - Parameters:
    ///   - selection: Of a revision of the venue.
    ///   - generation: The generation of the read model before the venue was read from it.
    func response(
        of selection: CollectionSelection, tag: String, generation: Int, encoding: ContentCoding?
    ) async throws -> CachedResponse {
        let query = CollectionQuery(
            venue: selection.venue.id, epoch: selection.venue.epoch, revision: selection.revision,
            filter: selection.filter, isStrict: selection.isStrict)
        let cachedChunks = self.chunks
        let key = ResponseCache.QueryKey(query: .collection(query), generation: generation, encoding: encoding)
        return try await self.cache.response(to: key) {
            @Sendable func chunks(of result: CollectionSelection.Result) -> [ResponseChunk] {
                ResponseChunker.chunks(of: result.versions, from: result.source, generation: generation)
            }
            let result = try await selection.result()
            return .streamed(
                StreamedResponse(
                    headers: result.headers, tag: tag, chunks: chunks(of: result),
                    cache: cachedChunks
                ) {
                    chunks(of: try await selection.result(mayBeRefused: false))
                })
        }
    }
}
