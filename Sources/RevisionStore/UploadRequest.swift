package import IMDF
package import SyncModel

/// What the operator asked for along with an archive. Two uploads of the same bytes are one while all of this is equal.
package struct UploadOptions: Sendable, Codable, Hashable {
    package var strict: Bool
    package var identity: String?
    /// The revision the operator believes to be the newest.
    package var base: Int64?

    package init(strict: Bool = false, identity: String? = nil, base: Int64? = nil) {
        self.strict = strict
        self.identity = identity
        self.base = base
    }
}

/// An archive whose last byte has arrived, on its way into the queue.
package struct UploadRequest: Sendable {
    package var venue: VenueKey
    package var archive: StoredArchive
    package var options: UploadOptions
    package var author: String
    package var message: String?
    /// Whether a venue that does not exist is made.
    package var createsVenue: Bool

    package init(
        venue: VenueKey, archive: StoredArchive, options: UploadOptions, author: String, message: String?,
        createsVenue: Bool
    ) {
        self.venue = venue
        self.archive = archive
        self.options = options
        self.author = author
        self.message = message
        self.createsVenue = createsVenue
    }
}

/// The bytes of an archive, complete in the store.
package struct StoredArchive: Sendable {
    package let id: Int64
    package let digest: Digest
    package let bytes: Int64
}
