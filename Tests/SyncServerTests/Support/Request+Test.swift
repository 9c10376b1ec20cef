import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// A request as a handler gets it, without a server.
    init(_ path: String, headers: HTTPFields = [:]) {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: headers)
        self.init(head: head, body: RequestBody(buffer: ByteBuffer()))
    }
}
