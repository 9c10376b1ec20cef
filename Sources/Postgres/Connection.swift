internal import CLibpq
internal import Dispatch

/// One session with the server, used by one task at a time.
///
/// Actors are reentrant, so a second task that calls while a statement runs is refused with ``PostgresError/Kind/busy``
/// rather than served in between. The caller's own thread sends; while the server works, no thread is held. When the task
/// is cancelled, the server is asked to break off, what it still sends is read, and the connection is good for the next
/// statement. A lost connection stays lost: open another one, or let ``ConnectionPool`` do it.
package actor Connection {
    /// libpq's connection; nil once it is lost or closed.
    private(set) var handle: OpaquePointer?
    private let watch: Watch
    var statements = StatementCache()

    /// Numbers what the connection does, so that a late clean-up cannot meet the next statement.
    typealias Operation = UInt64
    private var lastOperation: Operation = 0
    /// What runs now.
    private(set) var operation: Operation?
    /// The task's cancellation does not concern what runs now: it must come to its end.
    private var isShielded = false
    /// What the server was asked to break off, and when to ask again.
    private var cancelling: (attempts: Int, next: ContinuousClock.Instant)?
    private var closesWhenSettled = false
    private var wasLost = false
    /// The last error that ended the session, for what is thrown after it.
    private var lastWords: PostgresError?

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
    private func shut() {
        guard let handle = self.handle else { return }
        self.handle = nil
        self.watch.remove()
        PQfinish(handle)
    }
}

// One operation is: begin, send, read results until there are none, end.
extension Connection {
    /// Starts an operation, or says why there can be none.
    func begin(shielded: Bool = false) throws -> Operation {
        guard self.operation == nil else { throw PostgresError(.busy) }
        _ = try self.open()
        if !shielded { try Task.checkCancellation() }
        self.lastOperation += 1
        self.operation = self.lastOperation
        self.isShielded = shielded
        self.cancelling = nil
        return self.lastOperation
    }

    func end() {
        self.operation = nil
        if self.closesWhenSettled { self.shut() }
    }

    /// The handle of a session that is alive.
    func open() throws(PostgresError) -> OpaquePointer {
        if let handle = self.handle { return handle }
        throw self.wasLost ? PostgresError(lost: nil, after: self.lastWords) : PostgresError(.closed)
    }

    /// Frees a broken connection and says what became of it.
    func lost() -> PostgresError {
        let error = PostgresError(lost: self.handle, after: self.lastWords)
        self.lastWords = error
        self.wasLost = true
        self.shut()
        return error
    }

    /// Calls one of libpq's senders, which answer 1 or say why not.
    func send(_ sender: (OpaquePointer) -> Int32) throws(PostgresError) {
        let handle = try self.open()
        if sender(handle) == 1 { return }
        guard PQstatus(handle) == CONNECTION_OK else { throw self.lost() }
        throw .misuse(String(cString: PQerrorMessage(handle)))
    }

    /// Sends what is queued. While the server does not take it, what the server sends is read: two full buffers would wait
    /// for each other for ever.
    func flush() async throws(PostgresError) {
        while true {
            switch PQflush(try self.open()) {
            case 0: return
            case 1: try await self.receive(.readOrWrite)
            default: throw self.lost()
            }
        }
    }

    /// Reads until libpq has the next result; nil when the statement has no more.
    func nextResult() async throws(PostgresError) -> PGResult? {
        try await self.flush()
        while PQisBusy(try self.open()) == 1 { try await self.receive(.read) }
        guard let pointer = PQgetResult(try self.open()) else {
            guard PQstatus(try self.open()) == CONNECTION_OK else { throw self.lost() }
            return nil
        }
        let result = PGResult(pointer)
        if result.status == PGRES_FATAL_ERROR, let severity = result.field(UInt8(ascii: "V")), severity != "ERROR" {
            self.lastWords = PostgresError(result)
        }
        return result
    }

    /// Waits for the socket, or for a reason to ask the server to break off, and takes what has come.
    func receive(_ interest: Watch.Interest) async throws(PostgresError) {
        var canBeWatched = true
        if let next = self.cancelling?.next {
            if next <= .now { try await self.cancel() } else { canBeWatched = await self.watch.ready(interest) }
        } else if self.isShielded {
            canBeWatched = await self.watch.ready(interest)
        } else if Task.isCancelled {
            try await self.cancel()
        } else {
            canBeWatched = await self.watch.readyOrCancelled(interest)
        }
        let handle = try self.open()
        // TLS may hold back the rest of a record that it has already taken from the socket; a record is at most 16 KiB, and
        // libpq takes at least half of that at a time.
        for _ in 0..<(PQsslInUse(handle) == 1 ? 3 : 1) {
            guard canBeWatched, PQconsumeInput(handle) == 1 else { throw self.lost() }
        }
    }
}

extension Connection {
    /// True when the task was cancelled and the server asked to break off what it does.
    var isCancelling: Bool { self.cancelling != nil }

    /// Asks the server to break off, and sees to it that it is asked again: a request that comes while the server has not
    /// begun, or is between two statements, is ignored.
    func cancel() async throws(PostgresError) {
        let attempts = self.cancelling?.attempts ?? 0
        guard attempts < 12 else { throw self.lost() }
        let pause = Duration.milliseconds(min(200 << attempts, 5_000))
        self.cancelling = (attempts + 1, .now + pause)
        await Blocking.cancel(Blocking.Handle(pointer: try self.open()))
        let milliseconds = Int(pause / .milliseconds(1)) + 1
        let watch = self.watch
        Blocking.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak watch] in watch?.interrupt() }
    }

    /// Ends an operation that its caller gave up in the middle: breaks off, reads what is left.
    ///
    /// - Parameter grace: how long the server may go on before it is asked to break off.
    func abandon(_ operation: Operation, grace: Duration = .zero) async {
        guard self.operation == operation else { return }
        defer { self.end() }
        if self.handle == nil { return }
        self.isShielded = true
        do {
            if self.cancelling == nil {
                if grace == .zero {
                    try await self.cancel()
                } else {
                    self.cancelling = (0, .now + grace)
                    let watch = self.watch
                    Blocking.queue.asyncAfter(deadline: .now() + .milliseconds(Int(grace / .milliseconds(1)) + 1)) {
                        [weak watch] in watch?.interrupt()
                    }
                }
            }
            _ = try await self.settle()
        } catch {
            // The caller's own reason is what counts. A connection that broke here is closed already.
        }
    }

    /// Reads everything that the server still sends for this operation.
    ///
    /// - Returns: the last result that is no error.
    /// - Throws: the first error, after all has been read.
    func settle() async throws -> PGResult? {
        var last: PGResult?
        var failure: PostgresError?
        while let result = try await self.nextResult() {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY:
                last = result
            case PGRES_COPY_IN:
                failure = failure ?? .misuse("COPY FROM STDIN goes through copyIn")
                PQputCopyEnd(try self.open(), "no data")
            case PGRES_COPY_OUT, PGRES_COPY_BOTH:
                failure = failure ?? .misuse("COPY TO STDOUT goes through copyOut")
                while try await self.nextCopyData() {}
            default:
                failure = failure ?? PostgresError(result)
            }
        }
        if self.isCancelling { throw CancellationError() }
        if let failure { throw failure }
        return last
    }

    /// Whether a transaction is open.
    var transactionStatus: PGTransactionStatusType { self.handle.map { PQtransactionStatus($0) } ?? PQTRANS_UNKNOWN }
}
