import Hummingbird
import NIOCore
import Synchronization

/// The decisions by which a request was authorized, as checks that can be repeated.
///
/// They are confirmed when the response is ready, and before each further part of a response that takes long: a key may be revoked
/// and a venue made private while a request waits, is processed or is answered.
final class AccessDecisions: Sendable {
    typealias Decision = @Sendable () async throws -> Void

    private let decisions = Mutex<[Decision]>([])

    func add(_ decision: @escaping Decision) {
        self.decisions.withLock { $0.append(decision) }
    }

    /// For a request that is authorized anew.
    func removeAll() {
        self.decisions.withLock { $0 = [] }
    }

    /// - Throws: The problem with which the request would be refused if it came now.
    func confirm() async throws {
        for decision in self.decisions.withLock({ $0 }) { try await decision() }
    }
}

extension Response {
    /// Longer bodies, in bytes, take long to send: they are authorized again before each part.
    static let largeBody = 256 << 10

    /// Confirms the decisions before each part of a body that is large or of unknown length: sending it may take long.
    ///
    /// - Parameter readModel: What the decisions are made from. While it does not change, they are not made again.
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
        if let version, version == self.confirmed { return }
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
