internal import CLibpq

extension Connection {
    /// Runs one statement and hands out its rows as they come, so that memory stays bounded however many there are.
    ///
    /// When `row` throws, the server is asked to break off, what it has sent is read, and the error is thrown on.
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

    /// Rows that have come, at most 64 KiB or 256 of them; nil when there are no more, and then the operation is over.
    private func nextBatch(_ operation: Operation) async throws -> [PGResult]? {
        guard self.operation == operation else { throw PostgresError.misuse("the statement is over") }
        var batch: [PGResult] = []
        var size = 0
        // Only the first is waited for.
        while batch.count < 256, size < 64 << 10 {
            if !batch.isEmpty, PQisBusy(try self.open()) == 1 { break }
            guard let result = try await self.nextResult() else {
                // The end is told by a batch of its own.
                if !batch.isEmpty { break }
                self.end()
                return nil
            }
            switch result.status {
            case PGRES_SINGLE_TUPLE:
                size += PQresultMemorySize(result.pointer)
                batch.append(result)
            case PGRES_FATAL_ERROR:
                _ = try await self.settle()
                throw PostgresError(result)
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                // The end of the rows: an empty result, and after it nothing.
                continue
            default:
                throw PostgresError.misuse("stream is for statements that answer with rows")
            }
        }
        if self.isCancelling { throw CancellationError() }
        return batch
    }
}
