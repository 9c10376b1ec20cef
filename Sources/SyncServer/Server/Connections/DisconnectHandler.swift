import NIOCore
import Synchronization

/// Notices when the client of a connection disconnects: it closed the connection, or announced that it sends nothing more.
///
/// A client that closes only its half of the connection cannot be distinguished from one that is gone until something is written to
/// it. Both count as disconnected, as for most servers.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private struct State {
        var isDisconnected = false
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    var isDisconnected: Bool { self.state.withLock(\.isDisconnected) }

    func channelInactive(context: ChannelHandlerContext) {
        self.disconnect()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { self.disconnect() }
        context.fireUserInboundEventTriggered(event)
    }

    private func disconnect() {
        let observers = self.state.withLock { state in
            state.isDisconnected = true
            defer { state.observers = [:] }
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Runs work in a task of its own, which is cancelled when the client disconnects.
    func cancelOnDisconnect<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        let task = Task { try await work() }
        let id = self.addObserver { task.cancel() }
        defer { self.removeObserver(id) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Calls the observer when the client disconnects, at once if it has.
    func addObserver(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, isDisconnected) = self.state.withLock { state in
            state.lastID += 1
            if !state.isDisconnected { state.observers[state.lastID] = observer }
            return (state.lastID, state.isDisconnected)
        }
        if isDisconnected { observer() }
        return id
    }

    func removeObserver(_ id: UInt64) {
        self.state.withLock { $0.observers[id] = nil }
    }
}

extension Optional<DisconnectHandler> {
    /// Runs work for a body that is being sent, off the event loop. It is cancelled when the client disconnects; without a connection, as
    /// in tests of the router, it is not.
    func cancelOnDisconnect<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        if let connection = self { return try await connection.cancelOnDisconnect(work) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
    }
}

extension ChannelHandler {
    /// The handler of a connection; nil for a channel without one.
    static func of(_ channel: any Channel) -> Self? {
        // Off the event loop, looking into the pipeline would take a hop to it and back.
        guard channel.eventLoop.inEventLoop else { return nil }
        return try? channel.pipeline.syncOperations.handler(type: Self.self)
    }
}
