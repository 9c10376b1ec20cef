import Compression
import Crypto
import Foundation
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
    /// Whether the client's state changes by it, and not only its cursor.
    var isNews: Bool { !self.isComplete || !self.blocks.isEmpty }

    /// Names what the answer says: equal tags, equal answers to one address.
    var tag: String {
        let about = [self.about.language, self.about.timeZone, self.about.country].map { $0 ?? "" }.joined(
            separator: " ")
        let hash = SHA256.hash(data: Data("\(self.cursor) \(self.to) \(about)".utf8))
        return hash.prefix(12).map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }

    func headers(for question: SyncQuestion) -> HTTPFields {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers.cache(self.freshness(isPinned: question.isPinned), isPublic: question.venue.settings.public)
        return headers
    }

    /// How long the answer may be kept. What ends at a named revision never changes; an answer without news is asked for again
    /// soon, and one with news stays right for whoever holds the same.
    private func freshness(isPinned: Bool) -> String {
        if isPinned { return immutable }
        return self.isNews ? "max-age=60" : "max-age=2, stale-while-revalidate=60"
    }
}
