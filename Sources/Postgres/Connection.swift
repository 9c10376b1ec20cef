internal import CLibpq

/// One session with the server, used by one task at a time.
///
/// Actors are reentrant, so a second task that calls while a statement runs is refused with ``PostgresError/Kind/busy``
/// rather than served in between. The caller's own thread sends; while the server works, no thread is held. When the task
/// is cancelled, the server is asked to break off, what it still sends is read, and the connection is good for the next
/// statement. A lost connection stays lost: open another one, or let ``ConnectionPool`` do it.
package actor Connection {
    /// libpq's connection; nil once it is lost or closed.
    var handle: OpaquePointer?
    let watch: Watch
    var statements = StatementCache()
    /// libpq was told to hand out single rows. It forgets that when the next statement is sent, but not in a pipeline.
    var isInSingleRowMode = false

    /// Numbers what the connection does, so that a late clean-up cannot meet the next statement.
    typealias Operation = UInt64
    var lastOperation: Operation = 0
    /// What runs now.
    var operation: Operation?
    /// The task's cancellation does not concern what runs now: it must come to its end.
    var isShielded = false
    /// What the server was asked to break off, and when to ask again.
    var cancelling: (attempts: Int, next: ContinuousClock.Instant)?
    var closesWhenSettled = false
    var wasLost = false
    /// The last error that ended the session, for what is thrown after it.
    var lastWords: PostgresError?

    /// Connects. Host names are looked up and the server waited for on a thread that may block.
    package static func open(_ configuration: ConnectionConfiguration) async throws -> Connection {
        let handle = try await Blocking.connect(configuration)
        guard let watch = Poller.shared.add(PQsocket(handle.pointer)) else {
            PQfinish(handle.pointer)
            throw PostgresError(.connecting, message: "the socket cannot be watched")
        }
        return Connection(handle, watch)
    }

    private init(_ handle: Blocking.Handle, _ watch: Watch) {
        self.handle = handle.pointer
        self.watch = watch
    }

    isolated deinit { self.shut() }

    /// Ends the session: at once, or when the statement that runs has ended.
    package func close() async {
        if self.operation == nil { self.shut() } else { self.closesWhenSettled = true }
    }

    /// The server's process that serves this session.
    package var serverProcess: Int32 { self.handle.map { PQbackendPID($0) } ?? 0 }

    /// Frees what libpq holds. The socket is taken from the poller first: its number may be given away at once.
    func shut() {
        guard let handle = self.handle else { return }
        self.handle = nil
        self.watch.remove()
        PQfinish(handle)
    }
}
