package import SyncModel

/// Why the store refused a request. Every case is for the caller to handle; broken connections throw `PostgresError`.
package enum StoreError: Error, Hashable, Sendable {
    /// The venue does not exist, or has no revision yet.
    case unknownVenue
    /// The venue was deleted. An upload may create a venue with the same key.
    case venueGone(VenueKey, wasPublic: Bool)
    case unknownRevision(Int64)
    /// The revision is older than the first one that is not pruned.
    case revisionPruned(Int64, first: Int64)
    /// The venue was recreated, or its epoch was renewed, while it was read. The same request will succeed.
    case historyChanged
    case unknownFeature
    case unknownUpload
    case unknownKey
    /// Another revision was published first: compare with the new head and publish again.
    case headMoved
    /// Another worker has the upload now, or it was finished meanwhile.
    case leaseLost
    /// The venue is in this state already.
    case nothingToRestore
    /// The cursor is malformed, or does not belong to this request.
    case malformedCursor(String)
    /// `to` is older than the revision that the client holds.
    case targetBeforeCursor
    /// The cursor belongs to a history that cannot be continued.
    case historyLost
    /// The state of the upload does not permit the operation.
    case wrongState(Upload.State)
    /// The venue or the author has as many waiting uploads as permitted.
    case queueFull(QueueLimits.Holder, limit: Int)
    /// The key of the request was revoked, or expired, before the write was committed.
    case keyRevoked
    /// The key of the request has another role, or other venues, than when the request arrived.
    case notPermitted
    /// The venue was recreated, or its epoch was renewed, since the request arrived.
    case venueReplaced
    /// The server was promoted, and the epochs are not renewed yet: see ``RevisionStore/checkLineage()``.
    case lineageChanged
    /// A part of the database is missing, or contradicts the rest: it is being restored.
    case incompleteDatabase
    /// The archive that is being received does not exist any more.
    case unknownArchive
    /// Too many requests to change the venue are waiting already.
    case busy
    /// The revision cannot be signed.
    case notSignable(NotSignable)

    package enum NotSignable: Hashable, Sendable, CustomStringConvertible {
        /// This process has no signing key.
        case noKey
        /// The stored levels differ from what was published or signed.
        case altered
        /// The newest revision has no statement, or one that is not signed with a key of this process.
        case unverifiedBase

        /// The reason for an operator.
        package var description: String {
            switch self {
            case .noKey: "This server has no signing key."
            case .altered:
                "The stored levels differ from what was published or signed. Find out who changed the database."
            case .unverifiedBase:
                "The newest revision has no statement that is signed with a key of this server. Check it, and sign it first."
            }
        }
    }
}
