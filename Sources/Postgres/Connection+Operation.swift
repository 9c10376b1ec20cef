internal import CLibpq

// An operation is: begin, send, read results until there are none, end.
extension Connection {
    /// Starts an operation. Throws an error if one is running, or if the session is closed.
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
        if self.closesAfterOperation { self.shut() }
    }

    /// The handle of an open session.
    func open() throws(PostgresError) -> OpaquePointer {
        if let handle = self.handle { return handle }
        throw self.wasLost ? PostgresError(lost: nil, after: self.terminationError) : PostgresError(.closed)
    }

    /// Closes a connection that was lost, and returns the error for it.
    func lost() -> PostgresError {
        let error = PostgresError(lost: self.handle, after: self.terminationError)
        self.terminationError = error
        self.wasLost = true
        self.shut()
        return error
    }

    /// Calls a function of libpq that returns 1 on success.
    func send(_ sender: (OpaquePointer) -> Int32) throws(PostgresError) {
        let handle = try self.open()
        if sender(handle) == 1 { return }
        guard PQstatus(handle) == CONNECTION_OK else { throw self.lost() }
        throw .misuse(String(cString: PQerrorMessage(handle)))
    }

    /// Sends what is queued. While the server does not receive, what it sends is read, because two full buffers would deadlock.
    func flush() async throws(PostgresError) {
        while try !self.flushWithoutWaiting() { try await self.receive(.readOrWrite) }
    }

    /// Sends what the socket takes at once. Returns whether that is everything.
    func flushWithoutWaiting() throws(PostgresError) -> Bool {
        switch PQflush(try self.open()) {
        case 0: true
        case 1: false
        default: throw self.lost()
        }
    }

    /// Reads the next result; nil if the statement has no more.
    func nextResult() async throws(PostgresError) -> PGResult? {
        try await self.flush()
        while PQisBusy(try self.open()) == 1 { try await self.receive(.read) }
        guard let pointer = PQgetResult(try self.open()) else {
            guard PQstatus(try self.open()) == CONNECTION_OK else { throw self.lost() }
            return nil
        }
        let result = PGResult(pointer)
        if result.status == PGRES_FATAL_ERROR, let severity = result.field(UInt8(ascii: "V")), severity != "ERROR" {
            self.terminationError = PostgresError(result)
        }
        return result
    }

    /// Waits for the socket, or for a reason to cancel the statement, and reads what has arrived.
    func receive(_ interest: SocketWatch.Interest) async throws(PostgresError) {
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
        // With TLS, the rest of a record may have been read from the socket already. A record has at most 16 KiB, and libpq reads at
        // least half of that at a time.
        for _ in 0..<(PQsslInUse(handle) == 1 ? 3 : 1) {
            guard canBeWatched, PQconsumeInput(handle) == 1 else { throw self.lost() }
        }
    }
}
