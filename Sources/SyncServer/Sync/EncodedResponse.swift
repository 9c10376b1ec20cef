import Compression
import HTTPTypes
import Hummingbird
import NIOCore
import RevisionStore
package import SyncModel

/// An answer of `sync` as it is sent: worked out once, sent often.
package struct EncodedResponse: Sendable {
    let body: ByteBuffer
    /// Those that do not depend on who asks.
    let headers: HTTPFields
    let tag: String
    /// Whether there is something in it for the client.
    let isNews: Bool

    /// Bodies up to so many bytes together make an answer that is kept.
    static let largest = 1 << 20

    init(_ set: ChangeSet, for question: SyncQuery) throws {
        self.init(set, set.headers(for: question), ByteBuffer(bytes: try set.json()))
    }

    /// Pages over all venues are not kept longer than other answers: what may be read is looked at for each of them.
    package init(_ set: CatalogueChangeSet) throws {
        self.init(set, set.headers, ByteBuffer(bytes: try set.json()))
    }

    private init(_ answer: some SyncReply, _ headers: HTTPFields, _ body: ByteBuffer) {
        self.body = body
        self.tag = answer.tag
        self.headers = headers
        self.isNews = answer.isNews
    }

    /// A reply with features in it, compressed.
    init(joined body: ByteBuffer, headers: HTTPFields, tag: String) {
        self.body = body
        self.headers = headers
        self.tag = tag
        self.isNews = true
    }

    /// The same in a coding; itself when that would not be shorter.
    init(_ plain: EncodedResponse, in coding: ContentCoding) throws {
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

extension CatalogueChangeSet {
    var headers: HTTPFields {
        var headers = HTTPFields.ofSync
        headers.cache(self.freshness, isPublic: false)
        return headers
    }
}

extension HTTPFields {
    fileprivate static let ofSync: HTTPFields = [.contentType: "application/json"]
}

extension ChangeSet {
    func headers(for question: SyncQuery) -> HTTPFields {
        var headers = HTTPFields.ofSync
        // What ends at a named revision never changes.
        headers.cache(
            question.isPinned ? immutable : self.freshness, isPublic: question.venue.settings.public)
        return headers
    }
}
