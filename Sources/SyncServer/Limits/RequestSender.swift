import Hummingbird
import NIOCore

/// What distinguishes the sender of a request.
struct RequestSender {
    let authorization: String?
    /// The header field `X-Forwarded-For`.
    let forwardedFor: String?
    let hasTileToken: Bool
    /// The address of the connection.
    let address: SocketAddress?

    init(_ request: Request, from address: SocketAddress?) {
        self.authorization = request.headers[.authorization]
        self.forwardedFor = request.headers[.forwardedFor]
        self.hasTileToken = Self.hasTileToken(request.head.path ?? "")
        self.address = address
    }

    init(_ request: PlainRequest, from address: SocketAddress?) {
        self.authorization = request.authorization
        self.forwardedFor = request.forwardedFor
        self.hasTileToken = Self.hasTileToken(request.path)
        self.address = address
    }

    private static func hasTileToken(_ path: String) -> Bool {
        guard let start = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        return path[path.utf8.index(after: start)...].split(separator: "&").contains { $0.hasPrefix("token=") }
    }
}
