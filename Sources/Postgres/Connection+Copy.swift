internal import CLibpq
internal import Glibc

// COPY: the closure of the caller runs outside of the actor, which is entered once per chunk.
extension Connection {
    /// Writes rows with `COPY … FROM STDIN (FORMAT binary)`; header and trailer are added.
    ///
    /// Rows are collected into chunks of 64 KiB. The writer is at most ``maxUnsentCopy`` bytes ahead of the server. If `body` throws,
    /// the server discards all rows, and the connection remains usable. A row that the server rejects is reported at the end.
    ///
    /// Everything runs on a thread of its own, `body` included: the socket holds few chunks, so the server would soon wait for a
    /// writer that waits for a thread.
    ///
    /// - Returns: The number of rows that were stored.
    package nonisolated func copyIn(
        _ query: Query, _ body: (inout CopyWriter) async throws -> Void
    ) async throws -> Int {
        try await withTaskExecutorPreference(SerialExecution(label: "postgres.copy")) {
            try await self.write(query, body)
        }
    }

    private nonisolated func write(
        _ query: Query, _ body: (inout CopyWriter) async throws -> Void
    ) async throws -> Int {
        let operation = try await self.startCopyIn(query)
        var writer = CopyWriter(self, operation)
        do {
            try await body(&writer)
            try await writer.finish()
            return try await self.finishCopyIn(operation)
        } catch {
            await self.abandonCopyIn(operation)
            throw error
        }
    }

    private func startCopyIn(_ query: Query) async throws -> Operation {
        let operation = try self.begin()
        self.enlargeLocalSendBuffer()
        do {
            let result = try await self.startCopy(query)
            guard result.status == PGRES_COPY_IN else { throw PostgresError.misuse("copyIn is for COPY FROM STDIN") }
            guard PQbinaryTuples(result.pointer) == 1 else {
                throw PostgresError.misuse("copyIn writes the binary format: say (FORMAT binary)")
            }
            return operation
        } catch {
            await self.abandonCopyIn(operation)
            throw error
        }
    }

    /// Sends a COPY and reads the first result.
    private func startCopy(_ query: Query) async throws -> PGResult {
        guard query.parameters.isEmpty else { throw PostgresError.misuse("COPY takes no values") }
        try self.sendText(query.sql)
        guard let result = try await self.nextResult() else { throw PostgresError.misuse("the server sent no result") }
        if result.status == PGRES_FATAL_ERROR {
            _ = try await self.finishResults()
            throw PostgresError(result)
        }
        return result
    }

    /// How far a writer may be ahead of the socket. A socket is writable again when it is almost empty: then the next rows are ready,
    /// and the server does not wait while they are encoded.
    private static let maxUnsentCopy = 512 << 10

    /// Sends bytes of a COPY, and waits if too many were not taken by the socket.
    ///
    /// - Parameter unsent: What the call before has returned.
    /// - Returns: The number of bytes that the socket may not have taken yet.
    func sendCopy(_ operation: Operation, _ bytes: [UInt8], after unsent: Int) async throws -> Int {
        guard self.operation == operation else { throw PostgresError.misuse("the COPY has ended") }
        guard bytes.count < 1 << 30 else { throw PostgresError.misuse("a row is larger than 1 GiB") }
        try bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            try self.send { PQputCopyData($0, start, Int32(bytes.count)) }
        }
        let unsent = unsent + bytes.count
        if unsent < Self.maxUnsentCopy { return try self.flushWithoutWaiting() ? 0 : unsent }
        try await self.flush()
        if self.isCancelling { throw CancellationError() }
        return 0
    }

    /// Lets a socket of this machine hold more, if the system allows it. The system adjusts the buffers of other sockets itself.
    private func enlargeLocalSendBuffer() {
        guard let handle = self.handle else { return }
        let socket = PQsocket(handle)
        var domain: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0, domain == AF_UNIX else { return }
        var size = Int32(Self.maxUnsentCopy)
        _ = setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, length)
    }

    private func finishCopyIn(_ operation: Operation) async throws -> Int {
        try self.send { PQputCopyEnd($0, nil) }
        let result = try await self.finishResults()
        self.end()
        return result?.affected ?? 0
    }

    /// Abandons a COPY. The server notices that when it continues to read; if it does not, because it waits for a lock, the statement is
    /// cancelled.
    private func abandonCopyIn(_ operation: Operation) async {
        guard self.operation == operation else { return }
        if let handle = self.handle { PQputCopyEnd(handle, "abandoned by the client") }
        await self.abandon(operation, grace: Task.isCancelled ? .zero : .milliseconds(250))
    }

    /// Reads the rows of a COPY to the client, which nothing uses, up to the next result.
    func skipCopyData() async throws(PostgresError) {
        while true {
            var row: UnsafeMutablePointer<CChar>?
            switch PQgetCopyData(try self.open(), &row, 1) {
            case 0: try await self.receive(.read)
            case 1...: PQfreemem(row)
            default: return  // the end, or an error that the next result reports
            }
        }
    }
}
