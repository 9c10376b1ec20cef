internal import CLibpq

// COPY: the caller's side runs where the caller runs, and comes to the connection once per chunk.
extension Connection {
    /// Writes rows with `COPY … FROM STDIN (FORMAT binary)`; header and trailer are done here.
    ///
    /// Rows are collected into chunks of 64 KiB, and each is awaited until the server's side of the socket has taken it.
    /// When `body` throws, the server discards all rows, and the connection is good for the next statement. A row that the
    /// server refuses is told at the end.
    ///
    /// - Returns: how many rows the server stored.
    package nonisolated func copyIn(
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

    /// Sends a COPY and reads the first answer.
    private func startCopy(_ query: Query) async throws -> PGResult {
        guard query.parameters.isEmpty else { throw PostgresError.misuse("COPY takes no values") }
        try self.sendText(query.sql)
        guard let result = try await self.nextResult() else { throw PostgresError.misuse("there is no answer") }
        if result.status == PGRES_FATAL_ERROR {
            _ = try await self.settle()
            throw PostgresError(result)
        }
        return result
    }

    func sendCopy(_ operation: Operation, _ bytes: [UInt8]) async throws {
        guard self.operation == operation else { throw PostgresError.misuse("the COPY is over") }
        guard bytes.count < 1 << 30 else { throw PostgresError.misuse("a row is larger than 1 GiB") }
        try bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            try self.send { PQputCopyData($0, start, Int32(bytes.count)) }
        }
        try await self.flush()
        if self.isCancelling { throw CancellationError() }
    }

    private func finishCopyIn(_ operation: Operation) async throws -> Int {
        try self.send { PQputCopyEnd($0, nil) }
        let result = try await self.settle()
        self.end()
        return result?.affected ?? 0
    }

    /// Gives up a COPY. The server notices as soon as it reads on; if it does not, because it waits for a lock, it is asked
    /// to break off.
    private func abandonCopyIn(_ operation: Operation) async {
        guard self.operation == operation else { return }
        if let handle = self.handle { PQputCopyEnd(handle, "given up by the client") }
        await self.abandon(operation, grace: Task.isCancelled ? .zero : .milliseconds(250))
    }
}

extension Connection {
    /// Reads what `COPY … TO STDOUT` sends, as it comes, in the format that the statement asks for.
    ///
    /// The bytes are good until `chunk` returns. A chunk ends at the end of a row and holds about 64 KiB, or one larger row.
    package nonisolated func copyOut(
        _ query: Query, _ chunk: (UnsafeRawBufferPointer) async throws -> Void
    ) async throws {
        let operation = try await self.startCopyOut(query)
        do {
            while let next = try await self.nextChunk(operation) {
                try await chunk(UnsafeRawBufferPointer(start: next.start, count: next.count))
                withExtendedLifetime(next) {}
            }
        } catch {
            await self.abandon(operation)
            throw error
        }
    }

    private func startCopyOut(_ query: Query) async throws -> Operation {
        let operation = try self.begin()
        do {
            let result = try await self.startCopy(query)
            guard result.status == PGRES_COPY_OUT else { throw PostgresError.misuse("copyOut is for COPY TO STDOUT") }
            return operation
        } catch {
            await self.abandonCopyIn(operation)
            throw error
        }
    }

    /// Rows of a COPY, one after the other; nil when there are no more, and then the operation is over.
    private func nextChunk(_ operation: Operation) async throws -> CopyChunk? {
        guard self.operation == operation else { throw PostgresError.misuse("the COPY is over") }
        let chunk = CopyChunk()
        while chunk.count < CopyWriter.chunkSize {
            guard try await self.nextCopyData({ chunk.append($0) }) else {
                if chunk.count > 0 { return chunk }
                _ = try await self.settle()
                self.end()
                return nil
            }
        }
        return chunk
    }

    /// Hands out the next row of a COPY; false when there are no more. After that libpq has a result to be read.
    func nextCopyData(_ take: (UnsafeRawBufferPointer) -> Void = { _ in }) async throws(PostgresError) -> Bool {
        while true {
            var row: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(try self.open(), &row, 1)
            switch count {
            case 0:
                try await self.receive(.read)
            case 1...:
                take(UnsafeRawBufferPointer(start: row, count: Int(count)))
                PQfreemem(row)
                return true
            default:
                // The end, or an error that the next result tells.
                return false
            }
        }
    }
}

/// Memory for rows of a COPY that outlives a suspension, which an array's own storage may not.
private final class CopyChunk: @unchecked Sendable {
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: CopyWriter.chunkSize * 5 / 4, alignment: 1)
    private(set) var count = 0

    var start: UnsafeRawPointer? { UnsafeRawPointer(self.buffer.baseAddress) }

    func append(_ bytes: UnsafeRawBufferPointer) {
        if self.count + bytes.count > self.buffer.count {
            let size = max(self.count + bytes.count, 2 * self.buffer.count)
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: self.buffer[..<self.count]))
            self.buffer.deallocate()
            self.buffer = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: self.buffer[self.count...]).copyMemory(from: bytes)
        self.count += bytes.count
    }

    deinit { self.buffer.deallocate() }
}
