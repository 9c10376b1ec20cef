import NIOCore
import Synchronization

/// Notices when the client of a connection has gone: it closed the connection, or said that it sends nothing more.
///
/// A client that only closes its own half of the connection cannot be told from one that is gone until something is written to it,
/// so both count as gone, as they do for most servers.
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

    /// Does some work, and cancels it when the client goes.
    func cancelOnDisconnect<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        let task = Task { try await work() }
        let id = self.observe { task.cancel() }
        defer { self.state.withLock { state in state.observers[id] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func observe(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, isDisconnected) = self.state.withLock { state in
            state.lastID += 1
            if !state.isDisconnected { state.observers[state.lastID] = observer }
            return (state.lastID, state.isDisconnected)
        }
        if isDisconnected { observer() }
        return id
    }
}
