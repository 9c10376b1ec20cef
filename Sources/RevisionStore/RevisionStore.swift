package import IMDF
package import Postgres
package import SyncModel

/// Every venue, every revision, every version of every feature: all that is known, in PostgreSQL.
///
/// A feature version holds for a span of revisions. What a venue was at any revision, what changed between any two and what became
/// of a feature are range conditions on one table; a published revision is never rewritten but for the ends of the spans that the
/// next one supersedes, so what a reader has pinned to a revision stays right without a lock.
package struct RevisionStore: Sendable {
    package let pool: ConnectionPool
    let cache = RevisionCache()
    let writers: WriterLimit

    package init(pool: ConnectionPool) {
        self.pool = pool
        self.writers = WriterLimit(connections: pool.size)
    }

    /// Whether an error says that the database cannot be reached or cannot do its work just now, so that the same request may
    /// succeed later.
    package static func isOutage(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        return error.isRetryable || error.isOutOfResources
    }

    /// Whether an error says that others are changing the same rows for too long, so that the same request may succeed later.
    package static func isBusy(_ error: any Error) -> Bool {
        (error as? StoreError) == .busy || (error as? PostgresError)?.isLockTimeout ?? false
    }
    /// Whether a disk of the database is full, which lasts until somebody makes room.
    package static func isDiskFull(_ error: any Error) -> Bool { (error as? PostgresError)?.isDiskFull ?? false }

    /// That the database does not answer, though nothing broke: an outage, too.
    package static let silence: any Error = PostgresError.silent

    /// Forgets what was read: the database is another copy, in which everything may be otherwise.
    package func removeAll() { self.cache.removeAll() }

    /// Asks the database for nothing, to see whether it answers.
    package func ping() async throws {
        _ = try await self.pool.query("SELECT 1")
    }

    /// The end of a span that has none yet.
    static let forever = Int64.max

    /// Channels of NOTIFY. A notification is only a wake-up: whoever gets one reads the table.
    package enum Channel {
        package static let change = "venue_change"
        package static let upload = "venue_upload"
        /// The payload is the id of an upload that was finished or staged; sent by a trigger.
        package static let uploadState = "venue_upload_state"
    }
}

/// A venue's row.
package struct VenueRecord: Sendable, Hashable {
    package let id: Int64
    package let key: VenueKey
    /// The newest revision; 0 before the first.
    package let head: Int64
    package let epoch: Int64
    /// Where the history begins: what lies before was pruned.
    package let first: Int64
    /// Uploads that said what the venue is.
    package let imports: Int64
    /// Greater after every change of the venue, of its settings too, and never given twice among all venues.
    package let news: Int64
    /// The number without gaps that the venue got with its first revision and keeps for good, deleted and made again; nil before.
    package let place: Int64?
    package let settings: Venue.Settings
}

/// A revision's row, and the levels that it has.
package struct RevisionRecord: Sendable {
    package struct Level: Sendable, Hashable {
        package let id: FeatureID
        package let ordinal: Int?

        package init(id: FeatureID, ordinal: Int?) {
            self.id = id
            self.ordinal = ordinal
        }
    }

    package let number: Int64
    package let digest: Digest
    package var about: ChangeSet.About
    package let venueFeature: FeatureID?
    /// By id.
    package let levels: [Level]
}

/// The digest and the size of a level, or of the venue-wide part, at a revision.
package struct LevelState: Sendable, Hashable {
    package var level: FeatureID?
    package var digest: Digest
    package var features: Int
    /// Of the canonical bodies.
    package var bytes: Int64

    package init(level: FeatureID?, digest: Digest, features: Int, bytes: Int64) {
        self.level = level
        self.digest = digest
        self.features = features
        self.bytes = bytes
    }
}
