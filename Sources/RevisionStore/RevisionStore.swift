package import ArchiveStore
import Caching
package import Foundation
package import IMDF
import IMDFDiff
package import Postgres
package import SyncModel

/// Stores every venue, every revision and every version of every feature in PostgreSQL.
///
/// A feature version holds for a range of revisions. The state of a venue at a revision, the changes between two revisions and the
/// history of a feature are range conditions on one table. A published revision is immutable, except for the end of the ranges that
/// the next one supersedes, so a reader of a revision needs no lock.
package struct RevisionStore: Sendable {
    package let pool: ConnectionPool
    let writers: WriterLimit
    /// Where archives are stored; nil for the database.
    package let archives: (any ArchiveStore)?
    /// The keys with which published revisions are signed; nil to sign nothing.
    package let signing: SigningKeys?
    /// The features of revisions that uploads were compared with, or will be; at most 32 MiB.
    let knownFeatures = LRUCache<RevisionCache.RevisionKey, [StoredFeature]>(cost: 32 << 20)
    /// The content digests of venues that were imported by this process; at most 48 MiB.
    let knownContents = LRUCache<Int64, KnownContents>(cost: 48 << 20)

    package init(pool: ConnectionPool, signing: SigningKeys? = nil, archives: (any ArchiveStore)? = nil) {
        self.pool = pool
        self.signing = signing
        self.archives = archives
        self.writers = WriterLimit(connections: pool.size)
    }

    /// Whether an error means that the database cannot be reached, has no resources or is a standby at the moment, or that the archive
    /// store cannot be used, so that the same request may succeed later.
    package static func isOutage(_ error: any Error) -> Bool {
        if let error = error as? ArchiveStoreError { return error.isRetryable }
        guard let error = error as? PostgresError else { return false }
        return error.isRetryable || error.isOutOfResources || error.isReadOnlyServer
    }

    /// Whether an error means that the primary cannot be reached, is starting or stopping, or has become a standby.
    package static func isPrimaryLost(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        return error.isConnectionLost || error.isReadOnlyServer || error.isStartingOrStopping
    }

    /// Whether an error means that other transactions hold the same rows for too long, so that the same request may succeed later.
    package static func isBusy(_ error: any Error) -> Bool {
        (error as? StoreError) == .busy || (error as? PostgresError)?.isLockTimeout ?? false
    }

    /// Whether a disk of the database is full, which lasts until an operator makes room.
    package static func isDiskFull(_ error: any Error) -> Bool { (error as? PostgresError)?.isDiskFull ?? false }

    /// The error for a database that does not respond although the connection is not lost: an outage, too.
    package static let unresponsive: any Error = PostgresError.unresponsive

    /// Checks that the database responds.
    package func ping() async throws {
        _ = try await self.pool.query("SELECT 1")
    }

    /// `to_revision` of a version that no revision has ended yet.
    static let unended = Int64.max

    /// Channels of NOTIFY. A notification is a hint: its receiver reads the tables.
    package enum Channel {
        package static let change = "venue_change"
        package static let upload = "venue_upload"
        /// The payload is the id of an upload that was finished or staged; sent by a trigger.
        package static let uploadState = "venue_upload_state"
    }
}

/// A row of `venue`.
package struct VenueRecord: Sendable, Hashable {
    package let id: Int64
    package let key: VenueKey
    /// The newest revision; 0 before the first.
    package let head: Int64
    package let epoch: Int64
    /// The epochs before promotions of the database; see ``continued(_:)``.
    package let formerEpochs: [FormerEpoch]
    /// The oldest revision that is not pruned.
    package let first: Int64
    /// The number of uploads that ended in `published` or `unchanged`.
    package let imports: Int64
    /// The number of the last change of the venue, including its settings; unique among all venues.
    package let changeNumber: Int64
    /// The number of the venue in catalogue cursors, without gaps, given with the first revision and never changed; nil before.
    package let catalogueIndex: Int64?
    package let settings: Venue.Settings
    /// Who or what determined the time zone of the settings; nil if nothing did yet.
    package let timeZoneSource: Venue.TimeZoneSource?
}

/// A row of `revision` with the levels of the revision.
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
    package let publishedAt: Date
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
    /// The size of the canonical bodies.
    package var bytes: Int64

    package init(level: FeatureID?, digest: Digest, features: Int, bytes: Int64) {
        self.level = level
        self.digest = digest
        self.features = features
        self.bytes = bytes
    }
}
