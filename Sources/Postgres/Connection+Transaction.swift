internal import CLibpq

/// What a transaction sees of others.
package enum Isolation: String, Hashable, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension Connection {
    /// Runs `body` in a transaction: COMMIT when it returns, ROLLBACK when it throws. It is tried once; the pool's
    /// ``ConnectionPool/transaction(isolation:readOnly:_:)`` tries again.
    ///
    /// COMMIT is not broken off by cancelling the task. An error whose ``PostgresError/outcomeUnknown`` is true says that the
    /// connection broke during COMMIT.
    package nonisolated func transaction<Answer>(
        isolation: Isolation = .readCommitted, readOnly: Bool = false,
        _ body: (Connection) async throws -> Answer
    ) async throws -> Answer {
        try await self.beginTransaction(isolation, readOnly)
        let answer: Answer
        do {
            answer = try await body(self)
            try Task.checkCancellation()
        } catch {
            await self.rollback()
            throw error
        }
        try await self.commit()
        return answer
    }

    private func beginTransaction(_ isolation: Isolation, _ readOnly: Bool) async throws {
        try Task.checkCancellation()
        // Shielded, or a cancelled task could leave behind a transaction that nobody knows of.
        _ = try self.begin(shielded: true)
        defer { self.end() }
        guard self.transactionStatus == PQTRANS_IDLE else {
            throw PostgresError.misuse("the connection is in a transaction already")
        }
        // Without READ ONLY the server's default holds: a standby would refuse READ WRITE.
        try self.sendText("BEGIN ISOLATION LEVEL \(isolation.rawValue)\(readOnly ? " READ ONLY" : "")")
        _ = try await self.settle()
    }

    private func commit() async throws {
        do {
            _ = try self.begin(shielded: true)
        } catch {
            await self.rollback()
            throw error
        }
        defer { self.end() }
        try self.sendText("COMMIT")
        do {
            let result = try await self.settle()
            // A transaction in which a statement failed is rolled back without an error.
            guard let result, String(cString: PQcmdStatus(result.pointer)) == "COMMIT" else {
                throw PostgresError(.rolledBack)
            }
        } catch var error as PostgresError where error.isConnectionLost {
            error.outcomeUnknown = true
            throw error
        }
    }

    /// Ends an open transaction. A connection that cannot be brought out of it is closed.
    func rollback() async {
        guard self.transactionStatus != PQTRANS_IDLE, self.handle != nil else { return }
        do {
            _ = try self.begin(shielded: true)
            defer { self.end() }
            try self.sendText("ROLLBACK")
            _ = try await self.settle()
        } catch {
            await self.close()
        }
    }
}

extension Connection {
    /// Whether the session is alive.
    var isOpen: Bool { self.handle != nil }

    /// Looks whether the server has closed the session while nobody used it: two reads that do not wait, since before the
    /// end there are last words.
    func isUsable() -> Bool {
        guard let handle = self.handle, self.operation == nil else { return false }
        if PQconsumeInput(handle) == 1, PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK { return true }
        _ = self.lost()
        return false
    }

    /// Brings the session into a state in which someone else can use it; false when that is not possible, and then it is
    /// closed, at the latest when the statement ends that somebody left running.
    func isReusable() async -> Bool {
        if self.operation == nil, self.transactionStatus != PQTRANS_IDLE { await self.rollback() }
        if self.operation == nil, self.handle != nil { return true }
        await self.close()
        return false
    }
}
