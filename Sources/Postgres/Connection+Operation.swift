internal import CLibpq

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
