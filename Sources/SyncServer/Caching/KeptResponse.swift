import HTTPTypes
import Hummingbird
package import NIOCore
package import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A response that is sent again and again, with header fields as the encoder of a connection takes them.
package struct KeptResponse: Sendable {
    package let body: ByteBuffer
    private let ok: HTTPHeaders
    private let notModified: HTTPHeaders
    private let tag: String

    /// - Parameter origins: Adds what all origins may see.
    init(_ response: EncodedResponse, _ origins: OriginPolicy) {
        func headers(_ fields: HTTPFields) -> HTTPHeaders {
            let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
            var response = response.response(for: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
            origins.apply(nil, to: &response)
            response.headers[.server] = SyncApplication.serverName
            return HTTPHeaders(response.headers)
        }
        self.body = response.body
        self.tag = response.tag
        self.ok = headers([:])
        self.notModified = headers([.ifNoneMatch: "*"])
    }

    /// The head of the response to a request with this field `If-None-Match`. Only 200 has the body.
    package func head(ifNoneMatch: String?) -> HTTPResponseHead {
        let isKnown = ifNoneMatch.map { Response.hasTag(self.tag, in: $0) } ?? false
        return HTTPResponseHead(
            version: .http1_1, status: isKnown ? .notModified : .ok, headers: isKnown ? self.notModified : self.ok)
    }
}
