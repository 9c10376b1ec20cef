import Foundation
import Hummingbird
import SyncClient
import TestSupport

/// Runs a server with these routes on a free port.
func withServer<Result: Sendable>(
    _ router: Router<BasicRequestContext>, _ body: @escaping @Sendable (_ port: Int) async throws -> Result
) async throws -> Result {
    try await withServices { isRunning in
        [
            Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { channel in await isRunning(channel.localAddress?.port ?? 0) })
        ]
    } _: { port, _ in
        try await body(port)
    }
}

extension TransportResponse {
    /// The rest of the body.
    func bytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var blocks = self.body.makeAsyncIterator()
        while let block = try await blocks.next(isolation: nil) { bytes += block }
        return bytes
    }
}
