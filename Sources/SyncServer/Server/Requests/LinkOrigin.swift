import HTTPTypes
import Hummingbird

/// What absolute links begin with: the scheme and the authority of the public address, or of the address that the client used.
///
/// A client chooses the field `Host`. A response with links that are made of it is for this client alone: a shared cache would give the
/// links that one client has made up to all others.
struct LinkOrigin: Sendable {
    /// An origin such as `https://maps.example.com`; nil if none is configured.
    let publicAddress: String?
    /// The number of proxies in front of the server.
    let proxies: Int

    /// Whether the links are the same for every client.
    var isFixed: Bool { self.publicAddress != nil }

    /// Without a proxy, the scheme is that of the server.
    func origin(of request: Request) -> String {
        if let publicAddress { return publicAddress }
        let isSecure = self.proxies > 0 && request.headers[.init("X-Forwarded-Proto")!] == "https"
        let scheme = isSecure ? "https" : "http"
        return request.head.authority.map { "\(scheme)://\($0)" } ?? ""
    }
}
