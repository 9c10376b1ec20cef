import Compression
import RevisionStore
import SyncModel

/// Answers of `sync` for all venues that a key may read.
final class CatalogueReplies: Sendable {
    /// What the answer depends on: everything about venues is in the number of the newest change.
    private struct Question: Hashable {
        let news: Int64
        let readable: VenueSet
        let since: CatalogueCursor?
        let limit: Int

        init(_ request: CatalogueRequest) {
            self.news = request.state.news
            self.readable = request.readable
            self.since = request.since
            self.limit = request.limit
        }

        var cost: Int { 1 << 10 + 16 * (self.readable.runs.count + (self.since?.holding?.venues.runs.count ?? 0)) }
    }

    private let renditions = Renditions<Question, Never>(bytes: 24 << 20)

    func reply(
        to request: CatalogueRequest, in coding: ContentCoding?, from node: Node
    ) async throws -> Rendition {
        let question = Question(request)
        let reply = try await self.renditions.reply(to: question, cost: question.cost, in: coding) {
            .rendition(try Rendition(await node.store.changeSet(for: request, from: { node.reader(of: $0) })))
        }
        switch reply {
        case .rendition(let rendition): return rendition
        }
    }
}
