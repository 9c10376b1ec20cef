import Compression
import Crypto
import HTTPTypes
package import Hummingbird
import RevisionStore

/// Answers that stand as long as there is no news at all: the same request was answered so before, and nothing that an answer
/// depends on has changed since, neither a venue nor a key.
///
/// Most requests are such polls. They are recognised by what they say, letter by letter, and nothing of them is read again.
package final class ResponseCache: Sendable {
    package init() {}

    private struct Question: Hashable {
        let address: String
        /// What the request said of its key; the key itself is not kept.
        let authorization: SHA256.Digest?
        let acceptEncoding: String?

        init(_ request: Request) {
            self.address = request.head.path ?? ""
            self.authorization = request.headers[.authorization].map { header in
                var header = header
                return header.withUTF8 { text in
                    var hash = SHA256()
                    hash.update(bufferPointer: UnsafeRawBufferPointer(text))
                    return hash.finalize()
                }
            }
            self.acceptEncoding = request.headers[.acceptEncoding]
        }
    }

    private struct Answer {
        let reply: RenditionReply
        let news: Node.Moment
    }

    /// Nothing that was answered stands any more.
    package func removeAll() {
        self.answers.removeAll()
    }

    private let answers = LRUCache<Question, Answer>(cost: 16 << 20)

    /// - Parameter news: The newest news, for which somebody vouches.
    package func answer(to request: Request, news: Node.Moment) -> Response? {
        guard let answer = self.answers.value(for: Question(request)), answer.news == news else { return nil }
        return answer.reply.response(for: request)
    }

    /// - Parameter news: The news that were known when the request was begun with.
    package func keep(_ reply: RenditionReply, for request: Request, news: Node.Moment) {
        // The next request for it makes one body of it, which is faster to send.
        guard !reply.isJoinable(in: .preferred(by: request.headers[.acceptEncoding])) else { return }
        let question = Question(request)
        let cost =
            300 + question.address.utf8.count + (question.acceptEncoding?.utf8.count ?? 0)
            + reply.bytes
        self.answers.keep(Answer(reply: reply.withoutPieces, news: news), for: question, cost: cost)
    }
}
