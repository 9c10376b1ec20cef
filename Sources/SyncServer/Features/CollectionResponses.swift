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
    let readModel: ReadModel
    let cache: ResponseCache
    let chunks: ChunkCache

    /// - Parameters:
    ///   - isStrict: Whether the features are those that a strict decoder accepts, in their strict form.
    ///   - generation: The generation of the read model before the venue was read from it.
    func response(
        of revision: RevisionRecord, of venue: VenueRecord, where filter: FeatureFilter, isStrict: Bool,
        generation: Int,
        encoding: ContentCoding?
    ) async throws -> CachedResponse {
        let query = CollectionQuery(
            venue: venue.id, epoch: venue.epoch, revision: revision.number, filter: filter, isStrict: isStrict)
        let selection = CollectionSelection(
            venue: venue, revision: revision.number, filter: filter, isStrict: isStrict, readModel: self.readModel)
        let cachedChunks = self.chunks
        let key = ResponseCache.QueryKey(query: .collection(query), generation: generation, encoding: encoding)
        return try await self.cache.response(to: key) {
            @Sendable func chunks(of result: CollectionSelection.Result) -> [ResponseChunk] {
                ResponseChunker.chunks(of: result.versions, from: result.source, generation: generation)
            }
            let result = try await selection.result()
            return .streamed(
                StreamedResponse(
                    headers: result.headers, tag: revision.tag(isStrict: isStrict), chunks: chunks(of: result),
                    cache: cachedChunks
                ) {
                    chunks(of: try await selection.result())
                })
        }
    }
}
