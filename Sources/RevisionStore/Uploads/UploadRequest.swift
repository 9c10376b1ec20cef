package import Foundation
package import IMDF
package import SyncModel

/// The options of an upload. Two unfinished uploads of the same bytes with equal options are one.
package struct UploadOptions: Sendable, Codable, Hashable {
    package var strict: Bool
    package var identity: Venue.Settings.Identity?
    /// The revision that the operator believes to be the newest.
    package var base: Int64?
    /// Nil stands for `now`.
    package var publish: Publishing?
    /// Nil stands for `repair`.
    package var ids: ArchiveIDs?

    package init(
        strict: Bool = false, identity: Venue.Settings.Identity? = nil, base: Int64? = nil, publish: Publishing? = nil,
        ids: ArchiveIDs? = nil
    ) {
        self.strict = strict
        self.identity = identity
        self.base = base
        self.publish = publish == .now ? nil : publish
        self.ids = ids == .repair ? nil : ids
    }

    /// When it is published by itself, unless at once.
    package var time: Date? {
        if case .at(let time) = self.publish { time } else { nil }
    }
}

/// A complete archive that is to be queued.
package struct UploadRequest: Sendable {
    package var venue: VenueKey
    package var archive: StoredArchive
    package var options: UploadOptions
    package var message: String?
    /// What the file of the archive is called where it comes from.
    package var fileName: String?
    /// Whether a venue that does not exist is created.
    package var createsVenue: Bool
    /// The venue that existed when the request arrived, and must still exist; nil if there was none.
    package var known: VenueRecord?

    package init(
        venue: VenueKey, archive: StoredArchive, options: UploadOptions, message: String?, fileName: String? = nil,
        createsVenue: Bool, known: VenueRecord?
    ) {
        self.venue = venue
        self.archive = archive
        self.options = options
        self.message = message
        self.fileName = fileName
        self.createsVenue = createsVenue
        self.known = known
    }
}

/// A complete archive in the store.
package struct StoredArchive: Sendable {
    package let id: Int64
    package let digest: Digest
    package let bytes: Int64
}
