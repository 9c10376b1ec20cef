import Postgres
import SyncModel

/// Revisions are immutable, but they may be pruned, and their venue may be deleted and created again. A reader that needs more than
/// one statement, or more than one row that such a statement has selected, might read only a part of a revision.
///
/// `first_revision`, `epoch` and `deleted_at` of a venue are changed before anything is deleted. So what was read is complete if
/// these columns, read *afterwards*, still allow it.
extension RevisionStore {
    /// Reads the columns that say which revisions exist.
    static func validityRow(of venue: VenueRecord) -> Query {
        "SELECT first_revision, epoch, deleted_at IS NOT NULL FROM venue WHERE id = \(venue.id)"
    }

    /// - Parameters:
    ///   - rows: The result of ``validityRow(of:)``, read after the revisions.
    ///   - numbers: The revisions that were read; 0 stands for the venue before its first revision, which has no content.
    /// - Throws: `revisionPruned`, `venueGone` or `historyChanged` if what was read may be incomplete.
    static func checkValidity(_ rows: Rows, of venue: VenueRecord, at numbers: [Int64]) throws {
        guard let (first, epoch, isDeleted) = try rows.decode((Int64, Int64, Bool).self).first else {
            throw StoreError.unknownVenue
        }
        if isDeleted { throw StoreError.venueGone(venue.key, wasPublic: venue.settings.public) }
        guard epoch == venue.epoch else { throw StoreError.historyChanged }
        if let pruned = numbers.first(where: { $0 > 0 && $0 < first }) {
            throw StoreError.revisionPruned(pruned, first: first)
        }
    }

    /// Reads the newest revision that the server of a connection has.
    static func progressRow(of venue: VenueRecord) -> Query {
        "SELECT head FROM venue WHERE id = \(venue.id)"
    }

    /// - Parameter rows: The result of ``progressRow(of:)``, read *before* the revisions, and on the same connection: behind one address
    ///   there may be several replicas, of which some lag more than the one whose progress was polled.
    /// - Throws: An outage if the server lacks a revision that is known to exist, so that the primary is read instead.
    static func checkProgress(_ rows: Rows, of venue: VenueRecord, at numbers: [Int64]) throws {
        guard let head = try rows.decode(Int64.self).first else { throw StoreError.unknownVenue }
        if numbers.contains(where: { $0 > head && $0 <= venue.head }) { throw Self.unresponsive }
    }

    /// Runs a statement about some revisions and checks that all of them exist, in one round trip.
    func read(_ query: Query, of venue: VenueRecord, at numbers: Int64...) async throws -> Rows {
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([Self.progressRow(of: venue), query, Self.validityRow(of: venue)])
        }
        try Self.checkValidity(results[2], of: venue, at: numbers)
        try Self.checkProgress(results[0], of: venue, at: numbers)
        return results[1]
    }

    /// Like ``read(_:of:at:)``, row by row. If this throws, the rows that were passed to the closure are not to be used.
    func stream(
        _ query: Query, of venue: VenueRecord, at numbers: Int64..., row: (Row) async throws -> Void
    ) async throws {
        let (progress, validity) = try await self.pool.withConnection { connection in
            let progress = try await connection.query(Self.progressRow(of: venue))
            try await connection.stream(query, row)
            return (progress, try await connection.query(Self.validityRow(of: venue)))
        }
        try Self.checkValidity(validity, of: venue, at: numbers)
        try Self.checkProgress(progress, of: venue, at: numbers)
    }

    /// Attempts of a read of the newest revision while publications and prunes come in between.
    package static let readAttempts = 5

    /// Reads from the newest revision. If it is superseded and pruned meanwhile, reads from the one that is the newest then.
    package func withHead<Result>(
        of venue: VenueRecord, _ read: (VenueRecord) async throws -> Result
    ) async throws -> Result {
        var venue = venue
        for _ in 1..<Self.readAttempts {
            do {
                return try await read(venue)
            } catch let error as StoreError where error.invalidatesHead(of: venue) {
                venue = try await self.venue(venue.key)
            }
        }
        return try await read(venue)
    }
}

extension StoreError {
    /// Whether the newest revision of a venue, as of its record, does not exist any more. An error about an older revision does not
    /// imply that.
    package func invalidatesHead(of venue: VenueRecord) -> Bool {
        switch self {
        case .revisionPruned(_, let first): first > venue.head
        case .historyChanged: true
        default: false
        }
    }

    /// Whether the revision that a client holds, or requests, does not exist (any more), so that the client has to start over.
    package func invalidatesCursor(of venue: VenueRecord) -> Bool {
        switch self {
        case .historyLost: true
        case .revisionPruned: !self.invalidatesHead(of: venue)
        default: false
        }
    }
}
