import Postgres
package import SyncModel

/// The maximum numbers of waiting uploads, so that one venue or one author does not fill the queue.
package struct QueueLimits: Sendable, Hashable {
    /// Whose limit was reached.
    package enum Holder: String, Sendable {
        case venue
        case key
    }

    package var perVenue: Int
    package var perAuthor: Int

    package init(perVenue: Int = 20, perAuthor: Int = 100) {
        self.perVenue = perVenue
        self.perAuthor = perAuthor
    }

    /// - Parameter venue: nil for a venue that does not exist yet.
    /// - Throws: `StoreError.queueFull`.
    func check(venue: Int64?, author: String, on connection: Connection) async throws {
        let waiting = try await connection.query(
            """
            SELECT
                (SELECT count(*) FROM upload WHERE venue_id = \(venue) AND state = 'received'),
                (SELECT count(*) FROM upload WHERE author = \(author) AND state = 'received')
            """
        ).decode((Int64, Int64).self)
        guard let (ofVenue, ofAuthor) = waiting.first else { return }
        if ofVenue >= Int64(self.perVenue) { throw StoreError.queueFull(.venue, limit: self.perVenue) }
        if ofAuthor >= Int64(self.perAuthor) { throw StoreError.queueFull(.key, limit: self.perAuthor) }
    }
}

extension RevisionStore {
    /// Checks the limits before an archive is received. ``enqueue(_:limits:by:)`` checks them again when it is complete.
    ///
    /// - Throws: `StoreError.queueFull`.
    package func checkQueue(of key: VenueKey, author: String, limits: QueueLimits) async throws {
        try await self.pool.withConnection { connection in
            let venue = try await connection.query(
                "SELECT id FROM venue WHERE key = \(key.description)"
            ).decode(Int64.self).first
            try await limits.check(venue: venue, author: author, on: connection)
        }
    }
}
