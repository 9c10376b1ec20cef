import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncClient
import SyncModel
import Synchronization
import TestSupport
import Testing

/// A venue on a server that signs, and a mirror between the server and its clients that may attack them.
final class SignedVenue: Sendable {
    let harness: Harness
    let keys: SigningKeys
    let transport: HarnessTransport
    let mirror: HostileMirror
    let folder: Folder
    private let state = Mutex(SampleVenue(.init(levels: 2, unitsPerLevel: 6)))

    private init(_ harness: Harness, _ keys: SigningKeys) throws {
        self.harness = harness
        self.keys = keys
        self.transport = try HarnessTransport(harness)
        self.mirror = HostileMirror(origin: self.transport)
        self.folder = try Folder()
    }

    /// Runs a test on a server that has published a first revision.
    static func run(
        signing keys: SigningKeys? = nil, _ test: @escaping @Sendable (SignedVenue) async throws -> Void
    ) async throws {
        let keys = try keys ?? .random()
        try await Harness.run(store: TestDatabase.current.store(signing: keys)) { harness in
            let venue = try SignedVenue(harness, keys)
            try await venue.publish()
            try await test(venue)
        }
    }

    func publish(_ edits: Edit..., to key: String = "mall") async throws {
        let archive = self.state.withLock { state in
            _ = state.apply(edits, seed: 1)
            return state
        }
        try await self.harness.push(archive.archive(), to: key)
    }

    /// The status of a request of the operator.
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws -> HTTPResponse.Status {
        try await self.harness.send(method, path, type: "application/json", body: Array(body.utf8)).status
    }

    /// A replica of the venue behind the mirror. By default it trusts the keys of the server, and is in the folder of this object.
    func replica(
        in folder: Folder? = nil, trusting keys: [PublicKey]?, venue: String = "mall", pageLimit: Int = 50_000
    ) async throws -> VenueReplica {
        let key = try #require(VenueKey(venue))
        let address = try #require(URL(string: HarnessTransport.address))
        var policy = RetryPolicy()
        policy.attempts = 1
        policy.now = { [mirror] in mirror.now }
        policy.sleep = { _ in
            try Task.checkCancellation()
            await Task.yield()
        }
        return VenueReplica(
            store: try await .open((folder ?? self.folder).file, for: key), venue: key,
            server: try ServerAddress(address, key: Harness.adminKey), trusting: keys, transport: self.mirror,
            policy: policy, pageLimit: pageLimit)
    }

    func replica(in folder: Folder? = nil, pageLimit: Int = 50_000) async throws -> VenueReplica {
        try await self.replica(in: folder, trusting: self.keys.trusted, pageLimit: pageLimit)
    }

    /// What the server sends for a path now.
    func response(to path: String) async throws -> [UInt8] {
        Array(try await self.harness.send(.get, path).data)
    }

    /// The document with other members, signed with a key.
    static func forged(
        _ document: [UInt8], by keys: SigningKeys, as change: (inout JSONObject) -> Void
    ) throws -> [UInt8] {
        guard case .object(var members) = try JSONDecoder().decode(JSONValue.self, from: Data(document)) else {
            throw ScriptedTransport.Unexpected()
        }
        change(&members)
        members["signature"] = .string(String(repeating: "A", count: 86))
        let statement = try SignedStatement(CanonicalJSON.data(.object(members))).statement
        return try keys.sign(statement).document
    }
}

/// Forwards requests to a server, and replaces responses.
final class HostileMirror: SyncTransport {
    /// Returns the body to send instead of that of the server; nil to send the server's.
    typealias Attack = @Sendable (_ path: String) async throws -> [UInt8]?

    private let origin: HarnessTransport
    /// Is called before each of many small blocks of a body.
    typealias Drip = @Sendable () -> Void

    private struct State {
        var attack: Attack?
        var delay: TimeInterval = 0
        var paths: [String] = []
        var drips: [String: Drip] = [:]
    }

    private let state = Mutex(State())

    init(origin: HarnessTransport) {
        self.origin = origin
    }

    /// The time of the clients.
    var now: Date { Date() + self.state.withLock { $0.delay } }

    func advanceClock(by delay: TimeInterval) { self.state.withLock { $0.delay += delay } }

    func attack(_ attack: Attack?) { self.state.withLock { $0.attack = attack } }

    /// Sends the bodies of responses to paths with this text in small blocks; nil: as a whole again.
    func drip(_ text: String, _ drip: Drip?) { self.state.withLock { $0.drips[text] = drip } }

    /// The paths of the requests since the last call.
    func takePaths() -> [String] {
        self.state.withLock { state in
            defer { state.paths = [] }
            return state.paths
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = String(request.url.dropFirst(HarnessTransport.address.count))
        let (attack, drip) = self.state.withLock { state in
            state.paths.append(path)
            return (state.attack, state.drips.first { path.contains($0.key) }?.value)
        }
        if let body = try await attack?(path) {
            return TransportResponse(status: 200, body: ByteStream(body, blockSize: 1 << 14))
        }
        var response = try await self.origin.send(request)
        if let drip {
            var rest: [UInt8] = []
            for try await block in response.body { rest += block }
            let blocks = Mutex(rest[...])
            response.body = AsyncThrowingStream<[UInt8], any Error> {
                drip()
                return blocks.withLock { rest in
                    defer { rest = rest.dropFirst(20) }
                    return rest.isEmpty ? nil : Array(rest.prefix(20))
                }
            }
        }
        return response
    }
}
