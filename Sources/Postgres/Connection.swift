internal import CLibpq

/// A session with the server, used by one task at a time.
///
/// Actors are reentrant, so a second task that calls while a statement runs is refused with ``PostgresError/Kind/busy``
/// and not served in between. The caller's thread sends; while the server works, no thread is blocked. If the task is cancelled, the
/// server is requested to cancel the statement, the remaining results are read, and the connection remains usable. A lost
/// connection is not reopened: open another one, or use ``ConnectionPool``.
package actor Connection {
    /// The connection of libpq; nil after it was lost or closed.
    var handle: OpaquePointer?
    let watch: SocketWatch
    var statements = StatementCache()
    /// Whether libpq is in single-row mode, which ends with the next statement unless that is in a pipeline.
    var isInSingleRowMode = false

    /// The number of an operation, so that a late clean-up does not affect the next operation.
    typealias Operation = UInt64
    var lastOperation: Operation = 0
    /// The running operation.
    var operation: Operation?
    /// Whether the running operation must complete even if the task is cancelled.
    var isShielded = false
    /// The number of requests to cancel the running statement, and the time of the next one.
    var cancelling: (attempts: Int, next: ContinuousClock.Instant)?
    var closesAfterOperation = false
    var wasLost = false
    /// The error that the server sent before it ended the session.
    var terminationError: PostgresError?

    /// Connects, on a thread that may block.
    package static func open(_ configuration: ConnectionConfiguration) async throws -> Connection {
        let handle = try await Blocking.connect(configuration)
        guard let watch = Poller.shared.add(PQsocket(handle.pointer)) else {
            PQfinish(handle.pointer)
            throw PostgresError(.connecting, message: "the socket cannot be watched")
        }
        return Connection(handle, watch)
    }

    private init(_ handle: Blocking.Handle, _ watch: SocketWatch) {
        self.handle = handle.pointer
        self.watch = watch
    }

    isolated deinit { self.shut() }

    /// Ends the session, after the running operation if there is one.
    package func close() async {
        if self.operation == nil { self.shut() } else { self.closesAfterOperation = true }
    }

    /// The process id of the server process of this session.
    package var serverProcess: Int32 { self.handle.map { PQbackendPID($0) } ?? 0 }

    /// Closes the connection. The socket is removed from the poller first, because its number may be reused at once.
    func shut() {
        guard let handle = self.handle else { return }
        self.handle = nil
        self.watch.remove()
        PQfinish(handle)
    }
}
