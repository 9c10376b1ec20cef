import NIOHTTP1

/// What the response to a GET without a body may depend on, as it was sent.
struct PlainRequest {
    let path: String
    private(set) var authorization: String?
    private(set) var acceptEncoding: String?
    private(set) var ifNoneMatch: String?
    private(set) var origin: String?
    private(set) var forwardedFor: String?
    /// The id that the client has given it.
    private(set) var id: String?

    /// Nil for any other request, and for one that repeats a field.
    init?(_ head: HTTPRequestHead) {
        guard head.method == .GET, head.uri.utf8.first == UInt8(ascii: "/") else { return nil }
        self.path = head.uri
        for (name, value) in head.headers {
            // Most fields have another length than these.
            switch name.utf8.count {
            case 6, 12...15, 17: guard self.set(name.lowercased(), to: value) else { return nil }
            default: continue
            }
        }
    }

    private mutating func set(_ name: String, to value: String) -> Bool {
        switch name {
        case "authorization": Self.set(&self.authorization, to: value)
        case "accept-encoding": Self.set(&self.acceptEncoding, to: value)
        case "if-none-match": Self.set(&self.ifNoneMatch, to: value)
        case "origin": Self.set(&self.origin, to: value)
        case "x-forwarded-for": Self.set(&self.forwardedFor, to: value)
        case "x-request-id": Self.set(&self.id, to: value)
        case "content-length", "transfer-encoding", "expect": false
        default: true
        }
    }

    private static func set(_ field: inout String?, to value: String) -> Bool {
        guard field == nil else { return false }
        field = value
        return true
    }
}
