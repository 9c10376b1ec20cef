internal import CLibpq
internal import Dispatch

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
