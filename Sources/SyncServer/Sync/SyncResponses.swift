import Compression
import RevisionStore
import SyncModel

/// Answers of `sync` for one venue.
final class SyncResponses: Sendable {
    private let renditions = EncodedResponseCache<SyncQuery>(bytes: 32 << 20)
    private let cache: PieceCache

    init(cache: PieceCache) {
        self.cache = cache
    }

    /// - Parameter history: Of the node, from before it was asked what the question is of.
    func reply(
        to question: SyncQuery, of history: Int, in coding: ContentCoding?, from node: Node
    ) async throws -> RenditionReply {
        try await self.renditions.reply(to: question, of: history, cost: question.cost, in: coding) {
            let page = try await node.revisions(of: question.venue).page(for: question.request).sealed(
                by: question.seal)
            guard page.bytes > EncodedResponse.largest else {
                let set = try await node.reader(of: question.venue).filled(page, of: question.venue)
                return .rendition(try EncodedResponse(set, for: question))
            }
            let first = try PieceCutter.pieces(of: page, of: question.venue, history: history)
            return .paged(
                PagedReply(
                    headers: page.frame.headers(for: question), tag: page.frame.tag, pieces: first, cache: self.cache
                ) {
                    let page = try await node.revisions(of: question.venue).page(for: question.request)
                        .sealed(by: question.seal)
                    return try PieceCutter.pieces(of: page, of: question.venue, history: history)
                })
        }
    }
}
