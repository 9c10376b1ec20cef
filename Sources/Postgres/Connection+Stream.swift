internal import CLibpq

extension Connection {
    /// Runs one statement and passes its rows to a closure as they arrive, so that memory is bounded however many there are.
    ///
    /// If `row` throws, the statement is cancelled, the remaining results are read, and the error is rethrown.
    package nonisolated func stream(_ query: Query, _ row: (Row) async throws -> Void) async throws {
        let operation = try await self.startStream(query)
        do {
            while let batch = try await self.nextBatch(operation) {
                for result in batch { try await row(Row(result: result, number: 0)) }
            }
        } catch {
            await self.abandon(operation)
            if let error = error as? PostgresError, error.isOutdatedStatement { await self.forget(query) }
            throw error
        }
    }

    private func startStream(_ query: Query) async throws -> Operation {
        let operation = try self.begin()
        do {
            try self.check(query)
            let name = try await self.preparedName(query, StatementCache.Key(query))
            try self.send(query, prepared: name)
            PQsetSingleRowMode(try self.open())
            self.isInSingleRowMode = true
            return operation
        } catch {
            self.end()
            throw error
        }
    }

    private func forget(_ query: Query) {
        self.statements.remove(StatementCache.Key(query))
    }

    /// The rows that have arrived, at most 64 KiB or 256 of them; nil after the last one, when the operation has ended.
    private func nextBatch(_ operation: Operation) async throws -> [PGResult]? {
        guard self.operation == operation else { throw PostgresError.misuse("the statement has ended") }
        var batch: [PGResult] = []
        var size = 0
        // Only wait for the first one.
        while batch.count < 256, size < 64 << 10 {
            if !batch.isEmpty, PQisBusy(try self.open()) == 1 { break }
            guard let result = try await self.nextResult() else {
                // The end is reported by the next call.
                if !batch.isEmpty { break }
                self.end()
                return nil
            }
            switch result.status {
            case PGRES_SINGLE_TUPLE:
                size += PQresultMemorySize(result.pointer)
                batch.append(result)
            case PGRES_FATAL_ERROR:
                _ = try await self.finishResults()
                throw PostgresError(result)
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                // An empty result after the last row.
                continue
            case PGRES_COPY_IN:
                // Ended here and not by a cancellation, which may reach the server late, and then ends the next statement as well.
                defer { self.end() }
                _ = try await self.finishResults()
                throw PostgresError.misuse("stream is for statements that return rows")
            default:
                throw PostgresError.misuse("stream is for statements that return rows")
            }
        }
        if self.isCancelling { throw CancellationError() }
        return batch
    }
}
