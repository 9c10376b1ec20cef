internal import CLibpq

/// The isolation level of a transaction.
package enum Isolation: String, Hashable, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension Connection {
    /// Runs `body` in a transaction: COMMIT when it returns, ROLLBACK when it throws. It runs once; the pool's
    /// ``ConnectionPool/transaction(isolation:readOnly:_:)`` retries.
    ///
    /// Cancelling the task does not cancel COMMIT. If the connection is lost during COMMIT, ``PostgresError/outcomeUnknown`` of the
    /// error is true.
    package nonisolated func transaction<Result>(
        isolation: Isolation = .readCommitted, readOnly: Bool = false,
        _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        try await self.beginTransaction(isolation, readOnly)
        let result: Result
        do {
            result = try await body(self)
            try Task.checkCancellation()
        } catch {
            await self.rollback()
            throw error
        }
        try await self.commit()
        return result
    }

    private func beginTransaction(_ isolation: Isolation, _ readOnly: Bool) async throws {
        try Task.checkCancellation()
        // Shielded, because a cancelled task would leave an open transaction behind.
        _ = try self.begin(shielded: true)
        defer { self.end() }
        guard self.transactionStatus == PQTRANS_IDLE else {
            throw PostgresError.misuse("the connection is in a transaction already")
        }
        // Without READ ONLY the server's default is used: a standby rejects READ WRITE.
        try self.sendText("BEGIN ISOLATION LEVEL \(isolation.rawValue)\(readOnly ? " READ ONLY" : "")")
        _ = try await self.finishResults()
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
            let result = try await self.finishResults()
            // After a failed statement, COMMIT rolls back without an error.
            guard let result, String(cString: PQcmdStatus(result.pointer)) == "COMMIT" else {
                throw PostgresError(.rolledBack)
            }
        } catch var error as PostgresError where error.isConnectionLost {
            error.outcomeUnknown = true
            throw error
        }
    }

    /// Rolls back an open transaction. If that fails, the connection is closed.
    func rollback() async {
        guard self.transactionStatus != PQTRANS_IDLE, self.handle != nil else { return }
        do {
            _ = try self.begin(shielded: true)
            defer { self.end() }
            try self.sendText("ROLLBACK")
            _ = try await self.finishResults()
        } catch {
            await self.close()
        }
    }
}

extension Connection {
    /// Whether the session is open.
    var isOpen: Bool { self.handle != nil }

    /// Whether the server has kept the session open while it was idle. Reads twice without waiting, because the server sends an error
    /// before it closes the session.
    func isUsable() -> Bool {
        guard let handle = self.handle, self.operation == nil else { return false }
        if PQconsumeInput(handle) == 1, PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK { return true }
        _ = self.lost()
        return false
    }

    /// Prepares the session for its next user. If that is not possible, returns false and closes the session, at the latest when a
    /// statement ends that is still running.
    func isReusable() async -> Bool {
        if self.operation == nil, self.transactionStatus != PQTRANS_IDLE { await self.rollback() }
        if self.operation == nil, self.handle != nil { return true }
        await self.close()
        return false
    }
}
