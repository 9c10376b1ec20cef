public import Foundation

/// The base URL of a server, with the key for this server.
public struct ServerAddress: Sendable {
    /// The base URL without a trailing slash.
    private let base: String
    private var key: String?

    /// - Parameters:
    ///   - url: The base URL, such as `https://maps.example.com`. The paths of the HTTP API are appended to it.
    ///   - key: Is sent as `Authorization: Bearer …` to this server and to no other; nil for public venues.
    /// - Throws: ``SyncError/configuration(_:)`` if `url` is not a valid base URL, or if a header field cannot contain the key.
    public init(_ url: URL, key: String?) throws {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), parts.host?.isEmpty == false, parts.user == nil, parts.query == nil,
            parts.fragment == nil
        else { throw SyncError.configuration("“\(url.absoluteString)” is not the base URL of a server") }
        guard key.map(Self.isFieldValue) ?? true else {
            throw SyncError.configuration("the key has characters that are not allowed in a header field")
        }
        var base = url.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.key = key
    }

    /// The same server with another key.
    func with(key: String) -> ServerAddress {
        var address = self
        address.key = key
        return address
    }

    /// A request to this server.
    ///
    /// - Parameter path: A path and query that begin with a single slash; it may come from a response of the server.
    /// - Throws: ``SyncError/contradiction(_:)`` if it is anything else, such as an address of another server.
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

    /// `//host` would be another server, and lenient parsers take a backslash for a slash. Only visible ASCII is valid in a path.
    private static func isPath(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/") else { return false }
        return bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }
    }

    /// Whether a key can be the end of a header field: no control characters, such as the line break of a pasted key, and no space at
    /// its ends, where it would be lost.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && !text.hasPrefix(" ") && !text.hasSuffix(" ")
    }
}
