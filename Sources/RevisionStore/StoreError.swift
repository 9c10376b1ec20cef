package import SyncModel

/// Why the store refused. Every case is the caller's to deal with; broken connections throw `PostgresError`.
package enum StoreError: Error, Hashable, Sendable {
    /// There is no such venue, or it has no revision yet.
    case unknownVenue
    /// The venue was deleted; its key may be made again by an upload.
    case venueGone(VenueKey, wasPublic: Bool)
    case unknownRevision(Int64)
    /// The revision lies before the first one that was kept.
    case revisionPruned(Int64, first: Int64)
    /// The venue was made anew, or got another epoch, while it was read: whoever asks again gets an answer.
    case historyChanged
    case unknownFeature
    case unknownUpload
    case unknownKey
    /// Somebody else published first: compare with the new head and publish again.
    case headMoved
    /// Another worker has the upload now, or it was finished meanwhile.
    case leaseLost
    /// The venue is in this state already.
    case nothingToRestore
    /// The cursor is none of ours, or cannot belong to this request.
    case malformedCursor(String)
    /// `to` lies before what the client holds.
    case targetBeforeCursor
    /// The cursor belongs to a history that this venue cannot continue.
    case historyLost
    /// The upload is in a state in which this cannot be done to it.
    case wrongState(Upload.State)
    /// The venue, or the caller, has as many uploads waiting as it may have.
    case queueFull(QueueLimits.Holder, limit: Int)
    /// The key of the request was revoked before the write was committed.
    case keyRevoked
    /// The key of the request has another role, or other venues, than when the request arrived.
    case notPermitted
    /// The venue was deleted and made again, or got another epoch, since the request arrived.
    case venueReplaced
    /// A part of the database is missing, or contradicts the rest: it is being restored.
    case incompleteDatabase
    /// The archive on its way is not there any more.
    case unknownArchive
    /// Too many requests that change the venue wait for each other already.
    case busy
}
