import Compression
import DeltaForm
import HTTPTypes
package import Hummingbird
import NIOCore
import RevisionStore
package import SyncModel

/// A whole response in one content encoding.
package struct EncodedResponse: Sendable {
    let body: ByteBuffer
    /// Header fields that do not depend on the request.
    let headers: HTTPFields
    let tag: String
    /// Whether the client's state changes by it, and not only its cursor.
    let hasChanges: Bool

    /// Up to this many bytes of feature bodies a response is kept as a whole: clients that read slowly hold it in memory.
    static let maxBodyBytes = 256 << 10

    init(_ set: ChangeSet, for query: SyncQuery) throws {
        self.init(set, set.headers(for: query), ByteBuffer(bytes: try set.json()))
    }

    /// - Parameters:
    ///   - delta: The page in the delta form.
    ///   - page: The same page in the plain form, without bodies.
    init(delta: [UInt8], of page: ChangeSet, for query: SyncQuery) {
        var headers: HTTPFields = [.contentType: DeltaDocument.contentType]
        headers.cache(query.caching(page), isPublic: query.venue.settings.public, isEncoded: false)
        self.init(page, headers, ByteBuffer(bytes: delta))
    }

    /// - Parameter set: Cacheable only for a short time, because the set of readable venues may change.
    package init(_ set: CatalogueChangeSet) throws {
        self.init(set, set.headers, ByteBuffer(bytes: try set.json()))
    }

    private init(_ result: some SyncResult, _ headers: HTTPFields, _ body: ByteBuffer) {
        self.body = body
        self.tag = result.tag
        self.headers = headers
        self.hasChanges = result.hasChanges
    }

    /// A compressed response with changes.
    init(joined body: ByteBuffer, headers: HTTPFields, tag: String) {
        self.body = body
        self.headers = headers
        self.tag = tag
        self.hasChanges = true
    }

    /// The same response compressed, or uncompressed if that is not longer.
    init(_ plain: EncodedResponse, in encoding: ContentCoding) throws {
        let compressed = try encoding.compressed(Array(plain.body.readableBytesView))
        let isShorter = compressed.count < plain.body.readableBytes
        self.body = isShorter ? ByteBuffer(bytes: compressed) : plain.body
        var headers = plain.headers
        if isShorter { headers[.contentEncoding] = encoding.rawValue }
        self.headers = headers
        self.tag = plain.tag
        self.hasChanges = plain.hasChanges
    }

    package func response(for request: Request) -> Response {
        Response(status: .ok, headers: self.headers, body: ResponseBody(byteBuffer: self.body))
            .tagged(self.tag, for: request)
    }
}

extension CatalogueChangeSet {
    var headers: HTTPFields {
        var headers = HTTPFields.json
        headers.cache(self.freshness, isPublic: false)
        return headers
    }
}

extension ChangeSet {
    func headers(for query: SyncQuery) -> HTTPFields {
        var headers = HTTPFields.json
        headers.cache(query.caching(self), isPublic: query.venue.settings.public)
        return headers
    }
}

extension HTTPFields {
    fileprivate static let json: HTTPFields = [.contentType: "application/json"]
}
