import Compression
import NIOCore
import RevisionStore
import SyncModel

/// Answers of `sync` in memory, as many as fit into a bound: a small one is worked out once and compressed once, however many ask
/// for it, also at the same moment.
final class Replies: Sendable {
    enum Reply: Sendable {
        case rendition(Rendition)
        /// Too large to be kept: read as it is sent.
        case page(ChangeSetPage)
    }

    private struct Name: Hashable {
        let question: SyncQuestion
        let coding: ContentCoding?
    }

    private let kept = RecentlyUsed<Name, Rendition>(cost: 48 << 20)
    private let flights = SingleFlight<Name, Reply>()

    /// Bodies up to so many bytes together make an answer that is kept.
    private static let largest = 1 << 20

    func reply(to question: SyncQuestion, in coding: ContentCoding?, from store: RevisionStore) async throws -> Reply {
        let name = Name(question: question, coding: coding)
        if let rendition = self.kept.value(for: name) { return .rendition(rendition) }
        return try await self.flights.value(for: name) {
            guard let coding else { return try await self.make(question, from: store) }
            let reply = try await self.reply(to: question, in: nil, from: store)
            guard case .rendition(let plain) = reply else { return reply }
            guard plain.body.readableBytes >= ContentCoding.fewestBytes else {
                return .rendition(self.keep(plain, as: name))
            }
            return .rendition(self.keep(try Rendition(plain, in: coding), as: name))
        }
    }

    private func make(_ question: SyncQuestion, from store: RevisionStore) async throws -> Reply {
        let page = try await store.page(for: question.request)
        guard page.bytes <= Self.largest else { return .page(page) }
        let rendition = try Rendition(try await store.filled(page, of: question.venue), for: question)
        return .rendition(self.keep(rendition, as: Name(question: question, coding: nil)))
    }

    private func keep(_ rendition: Rendition, as name: Name) -> Rendition {
        self.kept.keep(rendition, for: name, cost: rendition.body.readableBytes + name.question.cost)
        return rendition
    }
}
