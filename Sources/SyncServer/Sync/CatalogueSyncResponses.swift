import Compression
import RevisionStore
import SyncModel

/// What a response of `sync` for all venues depends on.
struct CatalogueSyncQuery: Hashable, Sendable {
    /// Every change of a venue has a number of its own, so this stands for the state of all venues.
    private let changeNumber: Int64
    private let readable: VenueSet
    private let since: CatalogueCursor?
    private let limit: Int

    init(_ request: CatalogueRequest) {
        self.changeNumber = request.state.changeNumber
        self.readable = request.readable
        self.since = request.since
        self.limit = request.limit
    }

    /// The bytes that it takes to keep the query.
    var cost: Int { 1 << 10 + 16 * (self.readable.runs.count + (self.since?.holding?.venues.runs.count ?? 0)) }
}

/// Responses of `sync` for all venues that a key may read.
struct CatalogueSyncResponses: Sendable {
    let readModel: ReadModel
    let cache: ResponseCache
    let chunks: ChunkCache

    /// - Parameter generation: The generation of the read model before the state of the request was read from it.
    func response(
        to request: CatalogueRequest, generation: Int, encoding: ContentCoding?
    ) async throws -> CachedResponse {
        let (readModel, chunks) = (self.readModel, self.chunks)
        let key = ResponseCache.QueryKey(
            query: .catalogue(CatalogueSyncQuery(request)), generation: generation, encoding: encoding)
        return try await self.cache.response(to: key) {
            let page = try await readModel.revisions.page(for: request) { readModel.revisions(of: $0) }
            guard page.bytes > EncodedResponse.maxBodyBytes else {
                return .encoded(try EncodedResponse(await page.filled { readModel.reader(of: $0) }))
            }
            return .streamed(
                StreamedResponse(
                    headers: page.header.headers, tag: page.header.tag,
                    chunks: try ResponseChunker.chunks(of: page, generation: generation), cache: chunks,
                    makerCost: request.state.cost
                ) {
                    try ResponseChunker.chunks(
                        of: await readModel.revisions.page(for: request) { readModel.revisions(of: $0) },
                        generation: generation)
                })
        }
    }
}
