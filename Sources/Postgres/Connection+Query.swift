internal import CLibpq

extension Connection {
    /// Runs one statement, prepared once per text and types, with values and answer in binary.
    package func query(_ query: Query) async throws -> Rows {
        _ = try self.begin()
        defer { self.end() }
        return Rows(try await self.run(query))
    }

    /// Runs any number of statements from a text without values, as migrations are. Outside a transaction they are one.
    package func execute(_ sql: String) async throws {
        _ = try self.begin()
        defer { self.end() }
        try self.sendText(sql)
        _ = try await self.settle()
    }

    /// Sends a text in the simple protocol.
    func sendText(_ sql: String) throws(PostgresError) {
        try self.check(sql)
        try self.send { PQsendQuery($0, sql) }
    }

    /// Runs a query, and once more when its prepared statement was outdated: by a change of the schema, or because somebody
    /// deallocated it.
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
        guard let result = try await self.settle() else { throw PostgresError.misuse("the server answered nothing") }
        return result
    }

    /// The statement's name in this session; the first time, the server prepares it.
    func preparedName(_ query: Query, _ key: StatementCache.Key) async throws -> String {
        if let name = self.statements.name(key) { return name }
        try await self.deallocateDropped()
        let name = self.statements.newName()
        try self.sendPrepare(query, as: name)
        _ = try await self.settle()
        self.statements.insert(name, for: key)
        return name
    }

    /// Rids the server of statements that fell out of the cache. Not inside a transaction: if somebody else deallocated one,
    /// the error would end it.
    func deallocateDropped() async throws {
        while self.transactionStatus == PQTRANS_IDLE, let name = self.statements.takeDropped() {
            try self.sendText("DEALLOCATE \(name)")
            do {
                _ = try await self.settle()
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
                        // NULL is a null pointer, so an empty value needs one that is not.
                        var nothing: CChar = 0
                        return withUnsafePointer(to: &nothing) { nothing in
                            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? nothing
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

    /// A NUL would end the text for libpq, and the rest would be ignored.
    func check(_ sql: String) throws(PostgresError) {
        if sql.utf8.contains(0) { throw .misuse("a statement holds a NUL") }
    }

    /// Refuses what the protocol has no room for.
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
    /// The plan's columns are not the table's any more, or there is no statement of that name.
    var isOutdatedStatement: Bool { self.sqlState == "0A000" || self.sqlState == "26000" }
}
