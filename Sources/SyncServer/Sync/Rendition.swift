import Compression
import HTTPTypes
import Hummingbird
import NIOCore
import RevisionStore
import SyncModel

/// An answer of `sync` as it is sent: worked out once, sent often.
struct Rendition: Sendable {
    let body: ByteBuffer
    /// Those that do not depend on who asks.
    let headers: HTTPFields
    let tag: String
    /// Whether there is something in it for the client.
    let isNews: Bool

    init(_ set: ChangeSet, for question: SyncQuestion) throws {
        self.body = ByteBuffer(bytes: try set.json())
        self.tag = set.tag
        self.headers = set.headers(for: question)
        self.isNews = set.isNews
    }

    /// The same in a coding; itself when that would not be shorter.
    init(_ plain: Rendition, in coding: ContentCoding) throws {
        let packed = try coding.compressed(Array(plain.body.readableBytesView))
        let isShorter = packed.count < plain.body.readableBytes
        self.body = isShorter ? ByteBuffer(bytes: packed) : plain.body
        var headers = plain.headers
        if isShorter { headers[.contentEncoding] = coding.rawValue }
        self.headers = headers
        self.tag = plain.tag
        self.isNews = plain.isNews
    }

    func response(for request: Request) -> Response {
        Response(status: .ok, headers: self.headers, body: ResponseBody(byteBuffer: self.body))
            .tagged(self.tag, for: request)
    }
}

extension ChangeSet {
    func headers(for question: SyncQuestion) -> HTTPFields {
        var headers: HTTPFields = [.contentType: "application/json"]
        // What ends at a named revision never changes.
        headers.cache(
            question.isPinned ? immutable : self.freshness, isPublic: question.venue.settings.public)
        return headers
    }
}
