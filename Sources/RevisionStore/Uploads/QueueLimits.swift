import Postgres
package import SyncModel

/// The maximum numbers of waiting uploads, so that one venue or one submitter does not fill the queue.
package struct QueueLimits: Sendable, Hashable {
    /// Whose limit was reached.
    package enum Holder: String, Sendable {
        case venue
        case key
    }

    package var perVenue: Int
    package var perSubmitter: Int

    package init(perVenue: Int = 20, perSubmitter: Int = 100) {
        self.perVenue = perVenue
        self.perSubmitter = perSubmitter
    }

    /// - Parameter venue: nil for a venue that does not exist yet.
    /// - Throws: `StoreError.queueFull`.
    func check(venue: Int64?, submitter: String, on connection: Connection) async throws {
        let waiting = try await connection.query(
            """
            SELECT
                (SELECT count(*) FROM upload WHERE venue_id = \(venue) AND state = 'received'),
                (SELECT count(*) FROM upload WHERE submitter = \(submitter) AND state = 'received')
            """
        ).decode((Int64, Int64).self)
        guard let (ofVenue, ofSubmitter) = waiting.first else { return }
        if ofVenue >= Int64(self.perVenue) { throw StoreError.queueFull(.venue, limit: self.perVenue) }
        if ofSubmitter >= Int64(self.perSubmitter) { throw StoreError.queueFull(.key, limit: self.perSubmitter) }
    }
}

extension RevisionStore {
    /// Checks the limits before an archive is received. ``enqueue(_:limits:by:)`` checks them again when it is complete.
    ///
    /// - Throws: `StoreError.queueFull`.
    package func checkQueue(of key: VenueKey, submitter: String, limits: QueueLimits) async throws {
        try await self.pool.withConnection { connection in
            let venue = try await connection.query(
                "SELECT id FROM venue WHERE key = \(key.description)"
            ).decode(Int64.self).first
            try await limits.check(venue: venue, submitter: submitter, on: connection)
        }
    }
}
