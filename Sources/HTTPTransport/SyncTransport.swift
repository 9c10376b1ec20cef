public import Foundation

/// Sends requests to the server: the only connection between this module and the network.
///
/// ``URLSessionTransport`` is the default. A transport reports what came back: it follows no redirect, stores no cookie and retries nothing. Nevertheless a request may reach the server
/// more than once, because the HTTP library may repeat an idempotent one whose connection was closed (RFC 9110 §9.2.2). And if a
/// request fails without a response, the server may have received it.
public protocol SyncTransport: Sendable {
    /// Sends a request and returns when the head of the response has arrived.
    ///
    /// - Throws: Any error if there is no response. The body throws if it ends early.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// An HTTP request.
public struct TransportRequest: Sendable {
    /// The content of a request.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// The content of a file, read while it is sent if the system can do that. `progress` is called with the number of bytes sent so far.
        case file(URL, progress: @Sendable (_ sent: Int64) -> Void)
    }

    public var method: String
    /// The absolute URL.
    public var url: String
    /// Values by header name. Names are in any case, and each occurs at most once.
    public var headers: [String: String]
    public var body: Body?

    public init(method: String = "GET", url: String, headers: [String: String] = [:], body: Body? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An HTTP response whose body may still be arriving.
public struct TransportResponse: Sendable {
    public var status: Int
    /// Values by header name in lower case.
    public var headers: [String: String]
    /// Blocks of any size, decompressed.
    public var body: any AsyncSequence<[UInt8], any Error> & Sendable

    public init(
        status: Int, headers: [String: String] = [:], body: any AsyncSequence<[UInt8], any Error> & Sendable
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
