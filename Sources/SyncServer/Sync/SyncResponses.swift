import Compression
import DeltaForm
import RevisionStore
import SyncModel

/// Responses of `sync` for one venue.
struct SyncResponses: Sendable {
    let readModel: ReadModel
    let cache: ResponseCache
    let chunks: ChunkCache

    /// - Parameter generation: The generation of the read model before the venue of the query was read from it.
    static func key(of query: SyncQuery, generation: Int, encoding: ContentCoding?) -> ResponseCache.QueryKey {
        // The delta form is not compressed once more, so that it is the same for all clients.
        .init(query: .sync(query), generation: generation, encoding: query.form == .delta ? nil : encoding)
    }

    /// - Parameter key: The key of the query; see ``key(of:generation:encoding:)``.
    func response(to query: SyncQuery, _ key: ResponseCache.QueryKey) async throws -> CachedResponse {
        let (readModel, chunks, generation) = (self.readModel, self.chunks, key.generation)
        return try await self.cache.response(to: key) {
            let reader = readModel.revisions(of: query.venue)
            let page = try await reader.page(for: query.request).sealed(by: query.seal)
            if query.form == .delta {
                let delta = try await readModel.reader(of: query.venue)
                    .delta(of: page, since: query.sentCursor, of: query.venue)
                return .encoded(EncodedResponse(delta: delta.bytes(), of: page.header, for: query))
            }
            guard page.bytes > EncodedResponse.maxBodyBytes else {
                let reader = readModel.reader(of: query.venue)
                return .encoded(try EncodedResponse(try await reader.filled(page, of: query.venue), for: query))
            }
            return .streamed(
                StreamedResponse(
                    headers: page.header.headers(for: query), tag: page.header.tag,
                    chunks: try ResponseChunker.chunks(of: page, of: query.venue, generation: generation), cache: chunks
                ) {
                    let reader = readModel.revisions(of: query.venue)
                    let page = try await reader.page(for: query.request).sealed(by: query.seal)
                    return try ResponseChunker.chunks(of: page, of: query.venue, generation: generation)
                })
        }
    }
}
