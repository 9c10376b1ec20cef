internal import CLibpq
internal import Dispatch

extension Connection {
    /// Whether the server was requested to cancel the running statement because the task was cancelled.
    var isCancelling: Bool { self.cancelling != nil }

    /// Requests the server to cancel the statement, and schedules a repetition: the server ignores a request that arrives before the
    /// statement has begun, or between two statements.
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

    /// Ends an operation that its caller has abandoned: cancels the statement and reads the remaining results.
    ///
    /// - Parameter grace: How long to wait before the server is requested to cancel.
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
            _ = try await self.finishResults()
        } catch {
            // The caller reports its own error. A connection that was lost here is closed already.
        }
    }

    /// Reads all remaining results of this operation.
    ///
    /// - Returns: The last result that is not an error.
    /// - Throws: The first error, after all results were read.
    func finishResults() async throws -> PGResult? {
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
                failure = failure ?? .misuse("COPY TO STDOUT is not supported")
                try await self.skipCopyData()
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
