import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Sends requests with AsyncHTTPClient: for tools and servers on any platform.
public struct HTTPTransport: SyncTransport {
    public init() {}

    /// One for the process: connections are kept for the next request.
    ///
    /// An answer may be silent for a minute, because the server holds one back for up to 55 seconds when it is asked to wait for news.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .enabled(limit: .none)  // whoever reads the body counts its bytes
        configuration.timeout.connect = .seconds(10)
        configuration.timeout.read = .seconds(90)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var message = HTTPClientRequest(url: request.url)
        message.method = .init(rawValue: request.method)
        for (name, value) in request.headers { message.headers.replaceOrAdd(name: name, value: value) }
        message.headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip")
        switch request.body {
        case nil: break
        case .bytes(let bytes): message.body = .bytes(bytes)
        case .stream(let pieces, let length): message.body = Self.body(pieces, length)
        }
        let response = try await Self.client.execute(message, timeout: .hours(1))
        var headers: [String: String] = [:]
        for header in response.headers { headers[header.name.lowercased()] = header.value }
        return TransportResponse(
            status: Int(response.status.code), headers: headers, body: response.body.map { Array($0.readableBytesView) }
        )
    }

    private static func body(
        _ pieces: some AsyncSequence<[UInt8], any Error> & Sendable, _ length: Int64
    ) -> HTTPClientRequest.Body {
        .stream(pieces.map { ByteBuffer(bytes: $0) }, length: .known(length))
    }
}
