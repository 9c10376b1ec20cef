import Foundation
import IMDF
import SyncClient
import SyncModel
import Synchronization
import Testing

/// A model of a server with one venue, which remembers the outcomes of edits by their ids.
final class EditingServer: SyncTransport {
    /// What happens to the next request for edits.
    enum Fault: Sendable {
        /// The connection breaks before the request arrives.
        case lostRequest
        /// The request is processed, and the connection breaks before the response arrives.
        case lostResponse
        /// The server, or something before it, sends this response and does nothing.
        case reply(ScriptedTransport.Reply)
    }

    private struct State {
        var revision: Int64 = 1
        var features: [FeatureID: JSONValue] = [:]
        var hidden: [FeatureID: JSONValue] = [:]
        var outcomes: [String: (request: [UInt8], reply: ScriptedTransport.Reply)] = [:]
        var made: [String] = []
        var requests: [JSONValue] = []
        var faults: [Fault] = []
        var isOffline = false
        var hook: (@Sendable (_ isBefore: Bool) async -> Void)?
    }

    private let state = Mutex(State())

    init(_ features: [FeatureID: JSONValue]) {
        self.state.withLock { $0.features = features }
    }

    var revision: Int64 { self.state.withLock { $0.revision } }
    var features: [FeatureID: JSONValue] { self.state.withLock { $0.features } }
    /// The ids of the edits that made a revision, in this order.
    var made: [String] { self.state.withLock { $0.made } }
    /// The ids of all edits with an outcome.
    var known: Set<String> { self.state.withLock { Set($0.outcomes.keys) } }
    /// The requests for edits that arrived.
    var requests: [JSONValue] { self.state.withLock { $0.requests } }

    func setOffline(_ isOffline: Bool) { self.state.withLock { $0.isOffline = isOffline } }

    func fail(_ faults: Fault...) { self.state.withLock { $0.faults += faults } }

    /// Runs a closure before a request for edits arrives, and after it was processed.
    func around(_ hook: (@Sendable (_ isBefore: Bool) async -> Void)?) { self.state.withLock { $0.hook = hook } }

    /// Another person changes a feature.
    func change(_ id: FeatureID, _ patch: JSONValue) {
        self.state.withLock { state in
            state.features[id] = MergePatch.apply(patch, to: state.features[id])
            state.revision += 1
        }
    }

    /// Another person deletes a feature.
    func remove(_ id: FeatureID) {
        self.state.withLock { state in
            state.features[id] = nil
            state.revision += 1
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard !self.state.withLock({ $0.isOffline }) else { throw ScriptedTransport.Broken() }
        let reply = request.method == "POST" ? try await self.edit(request) : self.sync(request)
        return TransportResponse(status: reply.status, headers: reply.headers, body: ByteStream(reply.body))
    }

    private func edit(_ request: TransportRequest) async throws -> ScriptedTransport.Reply {
        #expect(request.url.hasSuffix("/venues/mall/edits") && request.headers["Authorization"] == "Bearer editor")
        #expect(request.headers["Content-Type"] == "application/json")
        guard case .bytes(let bytes) = request.body else { throw ScriptedTransport.Unexpected() }
        let hook = self.state.withLock { $0.hook }
        await hook?(true)
        let fault = self.state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
        switch fault {
        case .lostRequest: throw ScriptedTransport.Broken()
        case .reply(let reply): return reply
        case .lostResponse, nil: break
        }
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        let reply = try self.state.withLock { try Self.outcome(of: value, bytes, &$0) }
        await hook?(false)
        if case .lostResponse = fault { throw ScriptedTransport.Broken() }
        return reply
    }

    private static func outcome(
        of value: JSONValue, _ bytes: [UInt8], _ state: inout State
    ) throws -> ScriptedTransport.Reply {
        state.requests.append(value)
        let id = try #require(value["id"]?.string)
        if let outcome = state.outcomes[id] {
            return outcome.request == bytes ? outcome.reply : Self.problem(409, "edit-id-reused")
        }
        if let base = value["base"]?.number, base != Double(state.revision) { return Self.problem(409, "head-moved") }
        let (features, hidden) = (state.features, state.hidden)
        for (index, edit) in (value["edits"]?.array ?? []).enumerated() {
            guard let refusal = Self.run(edit, "/edits/\(index)", value["force"] == true, &state) else { continue }
            (state.features, state.hidden) = (features, hidden)
            state.outcomes[id] = (bytes, refusal)
            return refusal
        }
        let isNew = state.features != features
        if isNew {
            state.revision += 1
            state.made.append(id)
        }
        let reply = ScriptedTransport.Reply(
            status: isNew ? 201 : 200, body: Array(#"{"changes":{},"overrides":[],"revision":\#(state.revision)}"#.utf8)
        )
        state.outcomes[id] = (bytes, reply)
        return reply
    }

    private static func run(
        _ edit: JSONValue, _ path: String, _ isForced: Bool, _ state: inout State
    ) -> ScriptedTransport.Reply? {
        func id(_ key: String) -> FeatureID? { edit[key]?.string.flatMap { FeatureID($0) } }
        if let feature = id("feature"), let patch = edit["patch"] {
            guard let value = state.features[feature] else { return Self.problem(404, "feature-not-found", path) }
            if patch["properties"]?["hours"] == "bad" {
                return Self.problem(422, "edit-refused", "\(path)/patch/properties/hours", rule: "PR-04")
            }
            if patch["properties"]?["hours"] == "odd", !isForced {
                return Self.problem(422, "edit-refused", "\(path)/patch/properties/hours", canBeForced: true)
            }
            state.features[feature] = MergePatch.apply(patch, to: value)
        } else if let value = edit["add"], let feature = value["id"]?.string.flatMap({ FeatureID($0) }) {
            guard state.features[feature] == nil else { return Self.problem(409, "feature-exists", path) }
            state.features[feature] = value
        } else if let feature = id("hide") {
            guard let value = state.features.removeValue(forKey: feature) else {
                return Self.problem(404, "feature-not-found", path)
            }
            state.hidden[feature] = value
        } else if let feature = id("show") {
            guard let value = state.hidden.removeValue(forKey: feature) else {
                return Self.problem(404, "feature-not-found", path)
            }
            state.features[feature] = value
        }
        return nil
    }

    static func problem(
        _ status: Int, _ type: String, _ pointer: String? = nil, rule: String? = nil, canBeForced: Bool? = nil
    ) -> ScriptedTransport.Reply {
        var problem: JSONObject = [
            "type": .string("/problems/\(type)"), "title": "The edit is refused", "status": .number(Double(status)),
            "detail": .string("It is \(type)."),
        ]
        if let pointer { problem["pointer"] = .string(pointer) }
        if let canBeForced { problem["can_be_forced"] = .bool(canBeForced) }
        if let rule { problem["rule"] = .string(rule) }
        return .init(status: status, body: CanonicalJSON.data(.object(problem)))
    }

    /// A change set with all features, or none if the replica has the newest revision.
    private func sync(_ request: TransportRequest) -> ScriptedTransport.Reply {
        let (revision, features) = self.state.withLock { ($0.revision, $0.features) }
        let cursor = request.url.firstMatch(of: /since=c(\d+)/).flatMap { Int64($0.output.1) }
        let bodies = features.sorted { $0.key < $1.key }.map { CanonicalJSON.data($0.value) }
        var digest = LevelDigest()
        for body in bodies { body.withUnsafeBytes { digest.add(body: $0) } }
        let lines = bodies.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",\n")
        let total = digest.finalize()
        let block = """
            {"digest":"\(total)","kind":"snapshot","level_id":null,"ordinal":null,"features":[
            \(lines)
            ],"removed":[]}
            """
        let text = """
            {"about":{"country":null,"language":null,"time_zone":null},"complete":true,"cursor":"c\(revision)","digest":"\(total)",\
            "from":\(cursor.map(String.init) ?? "null"),"protocol":1,"to":\(revision),"venue":"mall","levels":[
            \(cursor == revision ? "" : block)]}

            """
        return .init(body: Array(text.utf8))
    }
}

/// A replica of the venue `mall` of the model, with an editor.
struct EditingDevice {
    let folder: Folder
    let replica: VenueReplica
    let editor: VenueEditor

    /// - Parameter folder: An existing folder: the app was started again.
    init(
        _ server: any SyncTransport, in folder: Folder? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) async throws {
        self.folder = try folder ?? Folder()
        var policy = RetryPolicy()
        policy.attempts = 1
        policy.randomFraction = { 0 }
        policy.now = { Date(timeIntervalSince1970: 1_800_000_000) }
        policy.sleep = sleep
        self.replica = try await VenueReplica.open(
            self.folder.file, server: #require(URL(string: "https://maps.example")), venue: #require(VenueKey("mall")),
            key: "reader", transport: server, policy: policy)
        self.editor = VenueEditor(replica: self.replica, key: "editor")
    }

    /// The name of a feature as it will be.
    func pendingName(_ id: FeatureID) async throws -> String? {
        guard let body = try await self.editor.feature(id)?.body else { return nil }
        return try JSONDecoder().decode(JSONValue.self, from: Data(body))["properties"]?["name"]?.string
    }

    /// The state of an edit; nil if it is not in the file.
    func state(_ edit: VenueEdit) async throws -> VenueEdit.State? {
        try await self.editor.edits().first { $0.id == edit.id }?.state
    }
}

extension JSONValue {
    /// A feature of the venue-wide part.
    static func place(_ id: FeatureID, _ properties: JSONObject) -> JSONValue {
        [
            "feature_type": "building", "geometry": nil, "id": .string(id.description),
            "properties": .object(properties), "type": "Feature",
        ]
    }
}
