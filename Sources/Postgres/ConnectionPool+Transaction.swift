extension ConnectionPool {
    /// How often a transaction is tried in all.
    package static let transactionAttempts = 6

    /// Runs `body` in a transaction, and again from the start when the server asks for that (a serialization failure or a
    /// deadlock) or when its connection broke before COMMIT: then nothing had happened. `body` must stand being run twice.
    ///
    /// It is not run again when the connection broke during COMMIT: the error's ``PostgresError/outcomeUnknown`` is true.
    package func transaction<Answer>(
        isolation: Isolation = .readCommitted, readOnly: Bool = false,
        _ body: (Connection) async throws -> Answer
    ) async throws -> Answer {
        var attempt = 1
        while true {
            var mayRepeat = false
            do {
                return try await self.withConnection { connection in
                    do {
                        return try await connection.transaction(isolation: isolation, readOnly: readOnly, body)
                    } catch let error as PostgresError where error.isRetryable && !error.outcomeUnknown {
                        // A loss counts when it is this connection's: of another one, `body` knows more than we do.
                        if error.isConnectionLost {
                            mayRepeat = !(await connection.isOpen)
                        } else {
                            mayRepeat = true
                        }
                        throw error
                    }
                }
            } catch {
                guard mayRepeat, attempt < Self.transactionAttempts else { throw error }
                // Those who collided must not meet again at once.
                try await Task.sleep(for: .milliseconds(Double.random(in: 1...4) * Double(1 << attempt)))
                attempt += 1
            }
        }
    }
}
