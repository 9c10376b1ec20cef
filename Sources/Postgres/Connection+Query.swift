internal import CLibpq

extension Connection {
    /// Runs one statement, prepared once per text and parameter types, with values and results in binary format.
    package func query(_ query: Query) async throws -> Rows {
        _ = try self.begin()
        defer { self.end() }
        return Rows(try await self.run(query))
    }

    /// Runs the statements of a text without parameters, such as a migration. Outside of a transaction they are a transaction.
    package func execute(_ sql: String) async throws {
        _ = try self.begin()
        defer { self.end() }
        try self.sendText(sql)
        _ = try await self.finishResults()
    }

    /// Sends a text with the simple query protocol.
    func sendText(_ sql: String) throws(PostgresError) {
        try self.check(sql)
        try self.send { PQsendQuery($0, sql) }
    }

    /// Runs a query, and once more if its prepared statement was outdated by a change of the schema, or was deallocated.
    private func run(_ query: Query) async throws -> PGResult {
        try self.check(query)
        let key = StatementCache.Key(query)
        let isCached = self.statements.name(key) != nil
        do {
            return try await self.runPrepared(query, key)
        } catch let error as PostgresError where isCached && error.isOutdatedStatement {
            self.statements.remove(key)
            guard self.transactionStatus == PQTRANS_IDLE else { throw error }
            return try await self.runPrepared(query, key)
        }
    }

    private func runPrepared(_ query: Query, _ key: StatementCache.Key) async throws -> PGResult {
        let name = try await self.preparedName(query, key)
        try self.send(query, prepared: name)
        self.isInSingleRowMode = false
        guard let result = try await self.finishResults() else {
            throw PostgresError.misuse("the server sent no result")
        }
        return result
    }

    /// The name of the prepared statement in this session; prepares it the first time.
    func preparedName(_ query: Query, _ key: StatementCache.Key) async throws -> String {
        if let name = self.statements.name(key) { return name }
        try await self.deallocateDropped()
        let name = self.statements.newName()
        try self.sendPrepare(query, as: name)
        _ = try await self.finishResults()
        self.statements.insert(name, for: key)
        return name
    }

    /// Deallocates statements that were evicted from the cache. Not in a transaction, because an error would abort it.
    func deallocateDropped() async throws {
        while self.transactionStatus == PQTRANS_IDLE, let name = self.statements.takeDropped() {
            try self.sendText("DEALLOCATE \(name)")
            do {
                _ = try await self.finishResults()
            } catch let error as PostgresError where error.isOutdatedStatement {
                continue
            }
        }
    }

    func sendPrepare(_ query: Query, as name: String) throws(PostgresError) {
        let types = query.parameters.map(\.type)
        try self.send { PQsendPrepare($0, name, query.sql, Int32(types.count), types) }
    }

    func send(_ query: Query, prepared name: String) throws(PostgresError) {
        let count = query.parameters.count
        try self.send { handle in
            query.values.withUnsafeBytes { bytes in
                withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count + 1) { pointers in
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count + 1) { numbers in
                        // NULL is a null pointer, so an empty value needs another one.
                        var empty: CChar = 0
                        return withUnsafePointer(to: &empty) { empty in
                            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
                            for (index, parameter) in query.parameters.enumerated() {
                                let range = parameter.range
                                pointers.initializeElement(at: index, to: range.map { base + $0.lowerBound })
                                numbers.initializeElement(at: index, to: Int32(range?.count ?? 0))
                                numbers.initializeElement(at: count + index, to: 1)
                            }
                            guard let lengths = numbers.baseAddress else { return 0 }
                            return PQsendQueryPrepared(
                                handle, name, Int32(count), pointers.baseAddress, lengths, lengths + count, 1)
                        }
                    }
                }
            }
        }
    }

    /// libpq would ignore the text after a NUL.
    func check(_ sql: String) throws(PostgresError) {
        if sql.utf8.contains(0) { throw .misuse("a statement contains a NUL") }
    }

    /// Checks the limits of the protocol.
    func check(_ query: Query, index: Int? = nil) throws(PostgresError) {
        do throws(PostgresError) {
            try self.check(query.sql)
            guard query.parameters.count <= UInt16.max else { throw .misuse("a query has more than 65535 values") }
            guard query.values.count < 1 << 30 else { throw .misuse("a query's values are larger than 1 GiB") }
        } catch {
            var error = error
            error.pipelineIndex = index
            throw error
        }
    }
}

extension PostgresError {
    /// Whether the columns of the plan differ from those of the table, or the prepared statement does not exist.
    var isOutdatedStatement: Bool { self.sqlState == "0A000" || self.sqlState == "26000" }
}
