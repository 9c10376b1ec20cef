import Foundation
import HTTPTypes
import IMDF
import SyncClient
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Sends requests to the real server without a socket.
final class HarnessTransport: SyncTransport {
    static let address = "http://replica.test"
    /// The folder of the replica; it exists as long as this object.
    let folder: Folder
    private let harness: Harness
    private let hooks = Mutex<[@Sendable (TransportRequest) async throws -> Void]>([])

    private struct Requests {
        /// The addresses of change sets that were requested in the delta form, as those of the plain form.
        var inDeltaForm: Set<String> = []
        var fallbackCount = 0
    }

    private let requests = Mutex(Requests())

    /// How many change sets were requested in the delta form.
    var deltaRequestCount: Int { self.requests.withLock { $0.inDeltaForm.count } }

    /// How many of them were requested in the plain form afterwards.
    var fallbackCount: Int { self.requests.withLock(\.fallbackCount) }

    init(_ harness: Harness) throws {
        self.folder = try Folder()
        self.harness = harness
    }

    /// Runs a closure before the next request.
    func before(_ hook: @escaping @Sendable (TransportRequest) async throws -> Void) {
        self.hooks.withLock { $0.append(hook) }
    }

    func forgetHooks() {
        self.hooks.withLock { $0 = [] }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let hook = self.hooks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        try await hook?(request)
        self.requests.withLock { requests in
            if request.url.contains("&form=delta") {
                requests.inDeltaForm.insert(request.url.replacing("&form=delta", with: ""))
            } else if requests.inDeltaForm.contains(request.url) {
                requests.fallbackCount += 1
            }
        }
        var body: [UInt8] = []
        switch request.body {
        case nil: break
        case .bytes(let bytes): body = bytes
        case .file(let file, let progress):
            body = Array(try Data(contentsOf: file))
            progress(Int64(body.count))
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
            status: answer.status.code, headers: headers, body: ByteStream(Array(answer.data), blockSize: 1 << 14))
    }
}

extension VenueReplica {
    /// A replica of the venue `mall` of a server, in a file of its own.
    static func open(on harness: Harness) async throws -> VenueReplica {
        let transport = try HarnessTransport(harness)
        let mall = try #require(VenueKey("mall"))
        let address = try #require(URL(string: HarnessTransport.address))
        return VenueReplica(
            store: try await .open(transport.folder.file, for: mall), venue: mall,
            server: try ServerAddress(address, key: Harness.adminKey), transport: transport)
    }
}
