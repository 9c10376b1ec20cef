import Compression
import RevisionStore
import SyncModel

/// Answers of `sync` for all venues that a key may read.
final class CatalogueSyncResponses: Sendable {
    /// What the answer depends on: everything about venues is in the number of the newest change.
    struct Question: Hashable {
        private let news: Int64
        private let readable: VenueSet
        private let since: CatalogueCursor?
        private let limit: Int

        init(_ request: CatalogueRequest) {
            self.news = request.state.changeNumber
            self.readable = request.readable
            self.since = request.since
            self.limit = request.limit
        }

        var cost: Int { 1 << 10 + 16 * (self.readable.runs.count + (self.since?.holding?.venues.runs.count ?? 0)) }
    }

    private let renditions = EncodedResponseCache<Question>(bytes: 16 << 20)
    private let cache: PieceCache

    init(cache: PieceCache) {
        self.cache = cache
    }

    /// - Parameter history: Of the node, from before it was asked what the state is.
    func reply(
        to request: CatalogueRequest, of history: Int, in coding: ContentCoding?, from node: Node
    ) async throws -> RenditionReply {
        let question = Question(request)
        return try await self.renditions.reply(to: question, of: history, cost: question.cost, in: coding) {
            let page = try await node.revisions.page(for: request) { node.revisions(of: $0) }
            guard page.bytes > EncodedResponse.largest else {
                return .rendition(try EncodedResponse(await page.filled { node.reader(of: $0) }))
            }
            let first = try PieceCutter.pieces(of: page, history: history)
            return .paged(
                PagedReply(headers: page.frame.headers, tag: page.frame.tag, pieces: first, cache: self.cache) {
                    try PieceCutter.pieces(
                        of: await node.revisions.page(for: request) { node.revisions(of: $0) }, history: history)
                })
        }
    }
}
