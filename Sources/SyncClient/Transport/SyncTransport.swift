/// How requests reach the server: the one seam between this module and the network.
///
/// ``HTTPTransport`` is the one for servers and tools, `URLSessionTransport` the one for apps on Apple platforms. A transport sends
/// what it is given and judges nothing: it follows no redirect, keeps no cookie, and tries nothing twice.
public protocol SyncTransport: Sendable {
    /// Sends a request and returns when the head of its answer is there.
    ///
    /// - Throws: Any error when there is no answer. The body throws when it breaks off before its end.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A request as it is to be sent.
public struct TransportRequest: Sendable {
    /// What is sent along.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// So many bytes, as they come.
        case stream(any AsyncSequence<[UInt8], any Error> & Sendable, length: Int64)
    }

    public var method: String
    /// The whole address.
    public var url: String
    /// Names in any case, each at most once.
    public var headers: [String: String]
    public var body: Body?

    public init(method: String = "GET", url: String, headers: [String: String] = [:], body: Body? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An answer: its head, and a body that is still on its way.
public struct TransportResponse: Sendable {
    public var status: Int
    /// By their names in lower case.
    public var headers: [String: String]
    /// In pieces of any size, unpacked if they were compressed.
    public var body: any AsyncSequence<[UInt8], any Error> & Sendable

    public init(
        status: Int, headers: [String: String] = [:], body: any AsyncSequence<[UInt8], any Error> & Sendable
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
