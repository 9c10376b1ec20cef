import Compression
import RevisionStore
import SyncModel

/// Answers of `sync` for one venue.
final class Replies: Sendable {
    /// A page that is too large to be kept is read as it is sent.
    typealias Reply = Renditions<SyncQuestion, ChangeSetPage>.Reply

    private let renditions = Renditions<SyncQuestion, ChangeSetPage>(bytes: 48 << 20)

    /// Bodies up to so many bytes together make an answer that is kept.
    private static let largest = 1 << 20

    func reply(to question: SyncQuestion, in coding: ContentCoding?, from store: RevisionStore) async throws -> Reply {
        try await self.renditions.reply(to: question, cost: question.cost, in: coding) {
            let page = try await store.page(for: question.request)
            guard page.bytes <= Self.largest else { return .large(page) }
            return .rendition(try Rendition(try await store.filled(page, of: question.venue), for: question))
        }
    }
}
