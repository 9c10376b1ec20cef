import Foundation
import HTTPTypes
import HummingbirdTesting
import SyncClient
import Synchronization
import TestSupport

/// The real server, without a socket.
final class HarnessTransport: SyncTransport {
    static let address = "http://replica.test"
    /// Of the replica that asks; it is there as long as that.
    let folder: Folder
    private let harness: Harness
    private let hooks = Mutex<[@Sendable (TransportRequest) async throws -> Void]>([])

    init(_ harness: Harness) throws {
        self.folder = try Folder()
        self.harness = harness
    }

    /// Has something happen before the next request is answered.
    func before(_ hook: @escaping @Sendable (TransportRequest) async throws -> Void) {
        self.hooks.withLock { $0.append(hook) }
    }

    func forgetHooks() {
        self.hooks.withLock { $0 = [] }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let hook = self.hooks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        try await hook?(request)
        var body: [UInt8] = []
        switch request.body {
        case nil: break
        case .bytes(let bytes): body = bytes
        case .stream(let pieces, _):
            var iterator = pieces.makeAsyncIterator()
            while let piece = try await iterator.next(isolation: nil) { body += piece }
        }
        var fields = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let answer = try await self.harness.send(
            .init(rawValue: request.method) ?? .get, String(request.url.dropFirst(Self.address.count)), key: nil,
            body: body, headers: fields)
        var headers: [String: String] = [:]
        for field in answer.headers { headers[field.name.canonicalName] = field.value }
        return TransportResponse(
            status: answer.status.code, headers: headers, body: ByteStream(Array(answer.data), piece: 1 << 14))
    }
}
