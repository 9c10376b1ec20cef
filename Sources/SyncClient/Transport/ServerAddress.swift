public import Foundation

/// Where a server is, and the key that is for it alone.
public struct ServerAddress: Sendable {
    /// Scheme, host, port and perhaps a path, without a slash at the end.
    private let base: String
    private let key: String?

    /// - Parameters:
    ///   - url: Such as `https://maps.example.com`. What stands behind it is one of the paths of the HTTP API.
    ///   - key: Is sent as `Authorization: Bearer …` with every request to this server, and to no other; nil for public venues.
    /// - Throws: ``SyncError/malformed(_:)`` for what is no address of a server.
    public init(_ url: URL, key: String?) throws {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), parts.host?.isEmpty == false, parts.user == nil, parts.query == nil,
            parts.fragment == nil
        else { throw SyncError.malformed("“\(url.absoluteString)” is not the address of a server") }
        var base = url.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.key = key
    }

    /// A request of this server.
    ///
    /// - Parameter path: Begins with one slash. Answers of the server name such paths; one that leads elsewhere is not asked.
    /// - Throws: ``SyncError/contradiction(_:)`` for a path that is none.
    func request(_ path: String, method: String = "GET", body: TransportRequest.Body? = nil) throws(SyncError)
        -> TransportRequest
    {
        guard Self.isPath(path) else {
            throw SyncError.contradiction("“\(path.prefix(100))” leads away from the server")
        }
        var request = TransportRequest(method: method, url: self.base + path, body: body)
        if let key { request.headers["Authorization"] = "Bearer \(key)" }
        return request
    }

    /// `//host`, and what a lenient reader takes for it, is another server. Anything but visible ASCII has no place in a path.
    private static func isPath(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/") else { return false }
        return bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }
    }

    /// A value of a query, or one segment of a path.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    /// RFC 3986 §2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
