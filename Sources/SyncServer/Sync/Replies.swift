import Compression
import RevisionStore
import SyncModel

/// Answers of `sync` for one venue.
final class Replies: Sendable {
    /// A page that is too large to be kept is read as it is sent.
    typealias Reply = Renditions<SyncQuestion, ChangeSetPage>.Reply

    private let renditions = Renditions<SyncQuestion, ChangeSetPage>(bytes: 48 << 20)

    /// - Parameter history: Of the node, from before it was asked what the question is of.
    func reply(
        to question: SyncQuestion, of history: Int, in coding: ContentCoding?, from node: Node
    ) async throws -> Reply {
        try await self.renditions.reply(to: question, of: history, cost: question.cost, in: coding) {
            let store = node.reader(of: question.venue)
            let page = try await store.page(for: question.request)
            guard page.bytes <= Rendition.largest else { return .large(page) }
            return .rendition(try Rendition(try await store.filled(page, of: question.venue), for: question))
        }
    }
}
