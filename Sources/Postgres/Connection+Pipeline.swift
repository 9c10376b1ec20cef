internal import CLibpq

extension Connection {
    /// Runs statements one after the other without waiting in between. Outside of a transaction they are a transaction: if one fails,
    /// all are rolled back. The error contains the index of the one that failed.
    ///
    /// At most 256 KiB (or one larger statement) are sent before results are read.
    package func pipeline(_ queries: [Query]) async throws -> [Rows] {
        _ = try self.begin()
        defer { self.end() }
        for (index, query) in queries.enumerated() { try self.check(query, index: index) }
        try await self.deallocateDropped()
        try await self.leaveSingleRowMode()
        try self.send { PQenterPipelineMode($0) }
        var pipeline = Pipeline()
        do {
            for query in queries where pipeline.failure == nil && !self.isCancelling {
                try self.send(query, in: &pipeline)
                if pipeline.bytes < 256 << 10 { continue }
                try self.send { PQsendFlushRequest($0) }
                try await self.readResults(of: &pipeline)
            }
            try self.send { PQpipelineSync($0) }
        } catch {
            // libpq had no memory for a valid statement: what was sent before it must not be committed.
            throw self.lost()
        }
        try await self.readResults(of: &pipeline)
        try await self.readSync()
        guard PQexitPipelineMode(try self.open()) == 1 else { throw self.lost() }
        if self.isCancelling { throw CancellationError() }
        if let failure = pipeline.failure { throw failure }
        return pipeline.results
    }

    /// Sends an empty statement before the pipeline if libpq is in single-row mode, which would affect the first result otherwise.
    private func leaveSingleRowMode() async throws {
        guard self.isInSingleRowMode else { return }
        try self.sendText("")
        _ = try await self.finishResults()
        self.isInSingleRowMode = false
    }

    /// Sends one statement, after its preparation if this session has not prepared it.
    private func send(_ query: Query, in pipeline: inout Pipeline) throws(PostgresError) {
        let key = StatementCache.Key(query)
        var name = self.statements.name(key) ?? pipeline.preparing[key]
        if name == nil {
            let new = self.statements.newName()
            try self.sendPrepare(query, as: new)
            pipeline.expect(.prepared(key, new), bytes: query.sql.utf8.count)
            pipeline.preparing[key] = new
            name = new
        }
        try self.send(query, prepared: name ?? "")
        pipeline.expect(.result(key), bytes: query.values.count + 64)
    }

    /// Reads the results of everything that was sent.
    private func readResults(of pipeline: inout Pipeline) async throws(PostgresError) {
        while let expected = pipeline.nextExpected() {
            while let result = try await self.nextResult() {
                switch (result.status, expected) {
                case (PGRES_COMMAND_OK, .prepared(let key, let name)):
                    self.statements.insert(name, for: key)
                case (PGRES_COMMAND_OK, .result), (PGRES_TUPLES_OK, .result), (PGRES_EMPTY_QUERY, .result):
                    pipeline.results.append(Rows(result))
                case (PGRES_PIPELINE_ABORTED, _):
                    break
                case (PGRES_COPY_IN, _), (PGRES_COPY_OUT, _), (PGRES_COPY_BOTH, _):
                    // libpq cannot leave a COPY inside a pipeline.
                    throw self.lost()
                case (_, .result(let key)) where PostgresError(result).isOutdatedStatement:
                    self.statements.remove(key)
                    pipeline.fail(with: PostgresError(result))
                default:
                    pipeline.fail(with: PostgresError(result))
                }
            }
        }
    }

    private func readSync() async throws(PostgresError) {
        while let result = try await self.nextResult() {
            if result.status == PGRES_PIPELINE_SYNC { return }
        }
    }
}

/// The state of a pipeline.
private struct Pipeline {
    enum Expected {
        case prepared(StatementCache.Key, String)
        case result(StatementCache.Key)
    }

    var results: [Rows] = []
    private(set) var failure: PostgresError?
    /// Statements that this pipeline prepares; they are added to the session when the server has confirmed them.
    var preparing: [StatementCache.Key: String] = [:]
    /// The number of bytes that were sent since results were last read.
    private(set) var bytes = 0
    private var expected: [Expected] = []
    private var nextIndex = 0

    mutating func expect(_ expected: Expected, bytes: Int) {
        self.expected.append(expected)
        self.bytes += bytes
    }

    mutating func nextExpected() -> Expected? {
        guard self.nextIndex < self.expected.count else {
            self.expected.removeAll(keepingCapacity: true)
            self.nextIndex = 0
            self.bytes = 0
            return nil
        }
        defer { self.nextIndex += 1 }
        return self.expected[self.nextIndex]
    }

    /// Stores the first error. Every query before it has a result, so their number is its index.
    mutating func fail(with error: PostgresError) {
        guard self.failure == nil else { return }
        self.failure = error
        self.failure?.pipelineIndex = self.results.count
    }
}
