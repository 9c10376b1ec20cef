import AsyncHTTPTransport
import Foundation
import Hummingbird
import HummingbirdTesting
import SyncClient
import Testing

/// The transports, all of which have to behave alike.
enum TransportKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case urlSession, asyncHTTPClient

    var testDescription: String { self.rawValue }

    var transport: any SyncTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .asyncHTTPClient: AsyncHTTPClientTransport()
        }
    }
}

/// Runs a server with these routes on a free port.
func withServer<Result: Sendable>(
    _ router: Router<BasicRequestContext>, _ body: @Sendable (_ port: Int) async throws -> Result
) async throws -> Result {
    try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        .test(.live) { client in try await body(#require(client.port)) }
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
