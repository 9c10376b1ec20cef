extension ConnectionPool {
    /// The maximum number of attempts of a transaction.
    package static let transactionAttempts = 6

    /// Runs `body` in a transaction. Retries after a serialization failure or a deadlock, or if the connection was lost before COMMIT,
    /// so `body` may run several times.
    ///
    /// Does not retry if the connection was lost during COMMIT: then ``PostgresError/outcomeUnknown`` of the error is true.
    package func transaction<Result>(
        isolation: Isolation = .readCommitted, readOnly: Bool = false,
        _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            var canRetry = false
            do {
                return try await self.withConnection { connection in
                    do {
                        return try await connection.transaction(isolation: isolation, readOnly: readOnly, body)
                    } catch let error as PostgresError where error.isRetryable && !error.outcomeUnknown {
                        // The error may be about another connection that `body` uses.
                        if error.isConnectionLost {
                            canRetry = !(await connection.isOpen)
                        } else {
                            canRetry = true
                        }
                        throw error
                    }
                }
            } catch {
                guard canRetry, attempt < Self.transactionAttempts else { throw error }
                // Transactions that collided should not collide again.
                try await Task.sleep(for: .milliseconds(Double.random(in: 1...4) * Double(1 << attempt)))
                attempt += 1
            }
        }
    }
}
