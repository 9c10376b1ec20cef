import Postgres
import SyncModel

/// Revisions stand still, but for two things: they may be pruned, and their venue may be deleted and made again. Whoever reads
/// more than one statement, or more than one row that such a statement has chosen, might meet the half of it.
///
/// A venue's mark (where its history begins, its epoch, whether it is there) is changed before anything is deleted. So what was
/// read is whole when the mark, looked at *afterwards*, still allows it.
extension RevisionStore {
    /// Reads the mark.
    static func mark(of venue: VenueRecord) -> Query {
        "SELECT first_revision, epoch, deleted_at IS NOT NULL FROM venue WHERE id = \(venue.id)"
    }

    /// - Parameter numbers: The revisions that were read; 0 stands for the venue before its first, of which there is nothing.
    /// - Throws: `revisionPruned`, `venueGone` or `historyChanged` when what was read before the mark may be half of it.
    static func check(_ mark: Rows, of venue: VenueRecord, at numbers: [Int64]) throws {
        guard let (first, epoch, isDeleted) = try mark.decode((Int64, Int64, Bool).self).first else {
            throw StoreError.unknownVenue
        }
        if isDeleted { throw StoreError.venueGone(venue.key, wasPublic: venue.settings.public) }
        guard epoch == venue.epoch else { throw StoreError.historyChanged }
        if let pruned = numbers.first(where: { $0 > 0 && $0 < first }) {
            throw StoreError.revisionPruned(pruned, first: first)
        }
    }

    /// Runs a statement about some revisions and makes sure that they are all there, in one round trip.
    func read(_ query: Query, of venue: VenueRecord, at numbers: Int64...) async throws -> Rows {
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([query, Self.mark(of: venue)])
        }
        try Self.check(results[1], of: venue, at: numbers)
        return results[0]
    }

    /// The same row by row: what was handed out is worth nothing when this throws.
    func stream(
        _ query: Query, of venue: VenueRecord, at numbers: Int64..., row: (Row) async throws -> Void
    ) async throws {
        let mark = try await self.pool.withConnection { connection in
            try await connection.stream(query, row)
            return try await connection.query(Self.mark(of: venue))
        }
        try Self.check(mark, of: venue, at: numbers)
    }

    /// Publications and prunes that may come in between, again and again, before a reader gives up.
    private static let readings = 5

    /// Reads something of the newest revision; when that was followed by another and pruned under the reader's hands, of that one.
    package func newest<Answer>(
        of venue: VenueRecord, _ read: (VenueRecord) async throws -> Answer
    ) async throws -> Answer {
        var venue = venue
        for _ in 1..<Self.readings {
            do {
                return try await read(venue)
            } catch let error as StoreError where error.saysGone(venue) {
                venue = try await self.venue(venue.key)
            }
        }
        return try await read(venue)
    }
}

extension StoreError {
    /// Whether a venue's newest revision, as it was when its row was read, is not there any more; that of another revision says
    /// nothing.
    package func saysGone(_ venue: VenueRecord) -> Bool {
        switch self {
        case .revisionPruned(_, let first): first > venue.head
        case .historyChanged: true
        default: false
        }
    }

    /// Whether it is the revision that a client holds, or wants to get to, which is not there (any more).
    package func saysLost(_ venue: VenueRecord) -> Bool {
        switch self {
        case .historyLost: true
        case .revisionPruned: !self.saysGone(venue)
        default: false
        }
    }
}
