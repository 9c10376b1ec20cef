import Postgres

extension RevisionStore {
    /// Runs the transaction of a publication. The order of its locks is documented at ``write(to:by:_:)``.
    ///
    /// If the connection is lost during COMMIT, the revision is looked for. It is published once, and a revision that exists is
    /// acknowledged.
    ///
    /// - Parameter work: Returns the number of the new revision.
    /// - Throws: `headMoved` if a revision with the same number was committed first, or if the outcome was unknown and nothing was
    ///   committed.
    func withPublication(
        in venue: VenueRecord, _ work: (Connection) async throws -> Int64
    ) async throws -> Int64 {
        var sent: SentPublication?
        do {
            return try await self.write(to: venue.key) { connection in
                sent = nil
                let transaction = try await connection.query("SELECT pg_current_xact_id()::xid::text::bigint")
                    .decode(Int64.self).first
                let number = try await work(connection)
                sent = transaction.map { SentPublication(venue: venue.id, number: number, transaction: $0) }
                return number
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            throw StoreError.headMoved
        } catch StoreError.lineageChanged {
            try await self.checkLineage()
            throw StoreError.headMoved
        } catch let error as PostgresError where error.outcomeUnknown {
            guard let sent else { throw error }
            guard try await self.isCommitted(sent, after: error) else { throw StoreError.headMoved }
            return sent.number
        }
    }

    /// A publication whose COMMIT was sent.
    private struct SentPublication {
        let venue: Int64
        let number: Int64
        let transaction: Int64
    }

    /// How long the outcome of a publication is looked for. A failed primary is replaced within half a minute, but a client waits no
    /// longer for its response; it repeats the request with the same id, or the worker compares again.
    private static let outcomeTimeout = Duration.seconds(10)

    /// Whether the revision exists and was written by the transaction.
    ///
    /// A server that still runs the transaction holds the lock on the venue's row, so the outcome is final when the lock is acquired.
    /// The lock is a write, too: with synchronous replication, its COMMIT returns when the standby has everything before it.
    ///
    /// After a promotion that has lost the transaction, another one may get the same id, but not for a publication: the first
    /// transactions of a timeline fail, until one of them has renewed the epochs.
    ///
    /// - Throws: The error of the publication if the database does not respond in time.
    private func isCommitted(_ publication: SentPublication, after error: PostgresError) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.outcomeTimeout
        while true {
            do {
                return try await self.pool.transaction { connection in
                    _ = try await connection.query("SELECT FROM venue WHERE id = \(publication.venue) FOR UPDATE")
                    let found = try await connection.query(
                        """
                        SELECT xmin::text::bigint = \(publication.transaction) FROM revision
                        WHERE venue_id = \(publication.venue) AND number = \(publication.number)
                        """)
                    return try found.decode(Bool.self) == [true]
                }
            } catch let failure where Self.isOutage(failure) || Self.isBusy(failure) {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }
}
