package import Foundation
package import HTTPTypes
import Hummingbird
import Logging
import LoopbackHTTP
package import NIOCore
import NIOEmbedded
import NIOHTTP1
import SyncServer
import Synchronization

/// Sends requests to the server of a test.
package protocol TestClient: Sendable {
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8]
    ) async throws -> TestResponse
}

/// A whole response.
package struct TestResponse: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    package let body: ByteBuffer

    package var data: Data { Data(self.body.readableBytesView) }
    package var text: String { String(buffer: self.body) }
}

/// Sends requests to the router without a socket.
struct RouterClient<Responder: HTTPResponder>: TestClient where Responder.Context == AppRequestContext {
    let responder: Responder
    let logger: Logger

    private static var blockLength: Int { 32 << 10 }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8]
    ) async throws -> TestResponse {
        var headers = headers
        if !body.isEmpty { headers[.contentLength] = "\(body.count)" }
        let (blocks, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
        for start in stride(from: 0, to: body.count, by: Self.blockLength) {
            feed.yield(ByteBuffer(bytes: body[start..<min(start + Self.blockLength, body.count)]))
        }
        feed.finish()
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers)
        var logger = self.logger
        logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        let context = AppRequestContext(source: .init(channel: EmbeddedChannel(), logger: logger))
        let response: Response
        do {
            let request = Request(head: head, body: RequestBody(asyncSequence: blocks))
            response = try await self.responder.respond(to: request, context: context)
        } catch {
            // As a connection does for an error that no middleware has made a response of.
            response = Response(status: .internalServerError)
        }
        let received = ReceivedBody()
        try await response.body.write(received)
        return TestResponse(status: response.status, headers: response.headers, body: received.bytes)
    }
}

private final class ReceivedBody: ResponseBodyWriter, Sendable {
    private let content = Mutex(ByteBuffer())

    var bytes: ByteBuffer { self.content.withLock(\.self) }

    func write(_ buffer: ByteBuffer) async throws {
        self.content.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Sends requests to a server that listens on a port of this machine.
struct SocketClient: TestClient {
    let port: Int
    private let client = LoopbackClient()

    /// It only ends a hang.
    private static let timeout = Duration.seconds(600)

    init(port: Int) {
        self.port = port
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8]
    ) async throws -> TestResponse {
        let response = try await self.client.open(
            HTTPMethod(rawValue: method.rawValue), "http://127.0.0.1:\(self.port)", path,
            headers: headers.map { ($0.name.rawName, $0.value) }, body: body, timeout: Self.timeout)
        var fields = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return TestResponse(
            status: .init(code: response.status), headers: fields, body: ByteBuffer(bytes: try await response.bytes()))
    }
}
