import Hummingbird
import NIOCore
import Synchronization

/// The decisions by which a request was authorized, as checks that can be repeated.
///
/// They are confirmed when the response is ready, and before each further part of a response that takes long: a key may be revoked
/// and a venue made private while a request waits or is processed, or while its response is sent.
final class AccessDecisions: Sendable {
    typealias Decision = @Sendable () async throws -> Void

    private struct State {
        var decisions: [Decision] = []
        var dependOnTime = false
    }

    private let state = Mutex(State())

    /// - Parameter dependsOnTime: Whether the decision may change while the read model does not, because a permission has an end.
    func add(dependsOnTime: Bool = false, _ decision: @escaping Decision) {
        self.state.withLock { state in
            state.decisions.append(decision)
            state.dependOnTime = state.dependOnTime || dependsOnTime
        }
    }

    /// For a request that is authorized anew.
    func removeAll() {
        self.state.withLock { $0 = State() }
    }

    /// Whether the decisions may change while the read model does not.
    var dependOnTime: Bool { self.state.withLock(\.dependOnTime) }

    /// - Throws: The problem with which the request would be refused if it came now.
    func confirm() async throws {
        for decision in self.state.withLock(\.decisions) { try await decision() }
    }
}

extension Response {
    /// Longer bodies, in bytes, take long to send: they are authorized again before each part.
    static let largeBody = 256 << 10

    /// Confirms the decisions before each part of a body that is large or of unknown length: sending it may take long.
    ///
    /// - Parameter readModel: What the decisions are made from. While it does not change, only those that depend on the time are made
    ///   again.
    func confirmingAccess(_ decisions: AccessDecisions, in readModel: ReadModel) -> Response {
        guard self.body.contentLength.map({ $0 > Self.largeBody }) ?? true else { return self }
        var response = self
        let body = self.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(ConfirmingWriter(writer: writer, decisions: decisions, readModel: readModel))
        }
        return response
    }
}

/// Aborts a response when the request would be refused by now.
private struct ConfirmingWriter: ResponseBodyWriter {
    /// Used by the one task that sends the response.
    nonisolated(unsafe) var writer: any ResponseBodyWriter
    let decisions: AccessDecisions
    let readModel: ReadModel
    /// The state of the read model in which the decisions were confirmed last.
    private var confirmed: ReadModel.Version?

    init(writer: any ResponseBodyWriter, decisions: AccessDecisions, readModel: ReadModel) {
        self.writer = writer
        self.decisions = decisions
        self.readModel = readModel
    }

    private mutating func confirm() async throws {
        // Read first: a change during the confirmation makes the next part confirm again.
        let version = self.readModel.confirmedVersion
        if let version, version == self.confirmed, !self.decisions.dependOnTime { return }
        try await self.decisions.confirm()
        self.confirmed = version
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await self.confirm()
        try await self.writer.write(buffer)
    }

    /// One write for all buffers; the default implementation makes one for each.
    mutating func write(contentsOf buffers: some Sequence<ByteBuffer>) async throws {
        let buffers = Array(buffers)
        try await self.confirm()
        try await self.writer.write(contentsOf: buffers)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await self.writer.finish(trailingHeaders)
    }
}
