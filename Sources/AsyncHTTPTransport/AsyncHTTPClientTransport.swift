import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
public import SyncClient

/// Sends requests with AsyncHTTPClient, for servers and tools that have it anyway.
public struct AsyncHTTPClientTransport: SyncTransport {
    public init() {}

    /// Shared by the process, so that connections are reused.
    ///
    /// The server holds a long poll for up to 55 seconds, so the read timeout is longer than that.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .enabled(limit: .none)  // the reader of the body bounds its size
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
        case .file(let file, let progress):
            let blocks = try FileBlocks(file: file, progress: progress)
            message.body = .stream(blocks, length: .known(blocks.length))
        }
        let response = try await Self.client.execute(message, timeout: .hours(1))
        var headers: [String: String] = [:]
        for header in response.headers { headers[header.name.lowercased()] = header.value }
        return TransportResponse(
            status: Int(response.status.code), headers: headers, body: response.body.map { Array($0.readableBytesView) }
        )
    }
}
