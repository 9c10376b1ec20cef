import Compression
import NIOCore
import RevisionStore

/// Answers in memory, as many as fit into a bound: one is worked out once and compressed once, however many ask for it, also at
/// the same moment.
///
/// - Parameter Large: An answer that is too large to be kept.
final class Renditions<Question: Hashable & Sendable, Large: Sendable>: Sendable {
    enum Reply: Sendable {
        case rendition(Rendition)
        case large(Large)
    }

    private struct Name: Hashable {
        let question: Question
        let history: Int
        let coding: ContentCoding?
    }

    private let kept: RecentlyUsed<Name, Rendition>
    private let flights = SingleFlight<Name, Reply>()

    /// - Parameter bytes: What all answers may take together.
    init(bytes: Int) {
        self.kept = RecentlyUsed(cost: bytes)
    }

    /// - Parameters:
    ///   - history: Which of the histories that the node has seen: in another one the same question has another answer.
    ///   - cost: Bytes that it takes to keep the question.
    func reply(
        to question: Question, of history: Int, cost: Int, in coding: ContentCoding?,
        _ make: @escaping @Sendable () async throws -> Reply
    ) async throws -> Reply {
        let name = Name(question: question, history: history, coding: coding)
        if let rendition = self.kept.value(for: name) { return .rendition(rendition) }
        return try await self.flights.value(for: name) {
            let reply: Reply
            if let coding {
                reply = try await self.reply(to: question, of: history, cost: cost, in: nil, make).compressed(coding)
            } else {
                reply = try await make()
            }
            if case .rendition(let rendition) = reply {
                self.kept.keep(rendition, for: name, cost: rendition.body.readableBytes + cost)
            }
            return reply
        }
    }
}

extension Renditions.Reply {
    /// What fits into a packet or two is not worth the work.
    fileprivate func compressed(_ coding: ContentCoding) throws -> Self {
        guard case .rendition(let plain) = self, plain.body.readableBytes >= 1 << 10 else { return self }
        return .rendition(try Rendition(plain, in: coding))
    }
}
