import HummingbirdCore
import NIOCore
import Synchronization

/// A connection between its acceptance and its handling.
///
/// A connection that is accepted while the listener closes is never handled. This closes it, because `NIOAsyncChannel` must not be
/// released without being closed.
final class AcceptedConnection: ServerChildChannelValue {
    private let wrapped: HTTP1Channel.Value
    private let isTaken = Atomic(false)

    init(_ channel: HTTP1Channel.Value) {
        self.wrapped = channel
    }

    var channel: any Channel { self.wrapped.channel }

    deinit {
        guard !self.isTaken.load(ordering: .acquiring) else { return }
        let channel = self.wrapped
        Task { try? await channel.executeThenClose { _, _ in } }
    }

    /// The caller closes the connection.
    func take() -> HTTP1Channel.Value {
        self.isTaken.store(true, ordering: .releasing)
        return self.wrapped
    }
}
