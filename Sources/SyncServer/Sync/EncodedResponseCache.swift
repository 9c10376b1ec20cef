import Compression
import Hummingbird
import NIOCore
import RevisionStore

/// Answers in memory, as many as fit into a bound: one is worked out once and compressed once, however many ask for it, also at
/// the same moment. Of a large one it is kept what its pieces are; those are in a ``PieceCache``.
final class EncodedResponseCache<Question: Hashable & Sendable>: Sendable {
    private struct Name: Hashable {
        let question: Question
        let history: Int
        let coding: ContentCoding?
    }

    private let kept: LRUCache<Name, RenditionReply>
    private let flights = SingleFlight<Name, RenditionReply>()

    /// - Parameter bytes: What all answers may take together.
    init(bytes: Int) {
        self.kept = LRUCache(cost: bytes)
    }

    /// - Parameters:
    ///   - history: Which of the histories that the node has seen: in another one the same question has another answer.
    ///   - cost: Bytes that it takes to keep the question.
    func reply(
        to question: Question, of history: Int, cost: Int, in coding: ContentCoding?,
        _ make: @escaping @Sendable () async throws -> RenditionReply
    ) async throws -> RenditionReply {
        let name = Name(question: question, history: history, coding: coding)
        if let reply = self.kept.value(for: name) {
            guard let coding, let joined = reply.joined(in: coding) else { return reply }
            self.kept.keep(joined, for: name, cost: joined.bytes + cost)
            return joined
        }
        return try await self.flights.value(for: name) {
            let reply: RenditionReply
            if let coding {
                reply = try await self.reply(to: question, of: history, cost: cost, in: nil, make).compressed(coding)
            } else {
                reply = try await make()
            }
            self.kept.keep(reply.withoutPieces, for: name, cost: reply.bytes + cost)
            return reply
        }
    }
}

package enum RenditionReply: Sendable {
    case rendition(EncodedResponse)
    case paged(PagedReply)

    /// Whether there is something in it for the client.
    var isNews: Bool {
        switch self {
        case .rendition(let rendition): rendition.isNews
        case .paged: true
        }
    }

    func response(for request: Request) -> Response {
        switch self {
        case .rendition(let rendition): rendition.response(for: request)
        case .paged(let reply): reply.response(for: request)
        }
    }

    /// Bytes of it that are kept.
    var bytes: Int {
        switch self {
        case .rendition(let rendition): rendition.body.readableBytes
        case .paged(let reply): reply.cost
        }
    }

    /// As it is kept.
    var withoutPieces: Self {
        if case .paged(let reply) = self { .paged(reply.withoutPieces) } else { self }
    }

    /// Whether ``joined(in:)`` may make one body of it later.
    func isJoinable(in coding: ContentCoding?) -> Bool {
        if case .paged(let reply) = self { reply.isJoinable(in: coding) } else { false }
    }

    /// A large reply as one body, once all pieces of it are known in this coding.
    fileprivate func joined(in coding: ContentCoding) -> Self? {
        guard case .paged(let reply) = self else { return nil }
        return reply.joined(in: coding).map { .rendition($0) }
    }

    /// What fits into a packet or two is not worth the work.
    fileprivate func compressed(_ coding: ContentCoding) throws -> Self {
        guard case .rendition(let plain) = self, plain.body.readableBytes >= 1 << 10 else { return self }
        return .rendition(try EncodedResponse(plain, in: coding))
    }
}
