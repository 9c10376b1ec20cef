import Hummingbird
import NIOCore

/// What distinguishes the sender of a request.
struct RequestSender {
    let authorization: String?
    /// The header field `X-Forwarded-For`.
    let forwardedFor: String?
    private let path: String
    /// The address of the connection.
    let address: SocketAddress?

    init(_ request: Request, from address: SocketAddress?) {
        self.authorization = request.headers[.authorization]
        self.forwardedFor = request.headers[.forwardedFor]
        self.path = request.head.path ?? ""
        self.address = address
    }

    init(_ request: PlainRequest, from address: SocketAddress?) {
        self.authorization = request.authorization
        self.forwardedFor = request.forwardedFor
        self.path = request.path
        self.address = address
    }

    var hasTileToken: Bool {
        self.path.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().contains { query in
            query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "token=".utf8) }
        }
    }
}
