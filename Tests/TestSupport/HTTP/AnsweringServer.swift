package import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Runs some work beside an HTTP server on this machine that answers every `GET` by a function.
///
/// The server has ended when this returns: make expectations about the result afterwards, because one that fails while a server runs
/// keeps the test from ending.
package func withAnsweringServer<Result: Sendable>(
    _ respond: @escaping @Sendable (_ path: String) async throws -> (status: HTTPResponse.Status, body: [UInt8]),
    _ body: @escaping @Sendable (_ address: String) async throws -> Result
) async throws -> Result {
    let router = Router()
    router.get("**") { request, _ in
        let (status, body) = try await respond(request.head.path ?? "/")
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
    return try await withServices { isRunning in
        [
            Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { await isRunning($0.localAddress?.port ?? 0) },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        ]
    } _: { port, _ in
        try await body("http://127.0.0.1:\(port)")
    }
}
