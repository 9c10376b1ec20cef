public import Foundation
public import IMDF

/// One attempt to change a venue with an archive: `GET /uploads/{id}`.
public struct Upload: Sendable, Codable {
    public enum State: String, Sendable, Codable, CaseIterable {
        case received, processing, staged, published, unchanged, rejected, failed, discarded

        /// Whether the state no longer changes.
        public var isFinal: Bool {
            switch self {
            case .received, .processing, .staged: false
            case .published, .unchanged, .rejected, .failed, .discarded: true
            }
        }
    }

    public enum Phase: String, Sendable, Codable {
        case reading, identifying, diffing, publishing, validating
    }

    /// Why an upload was staged although it was not requested.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        /// A large part of the venue would be removed.
        case removal
        /// The archive belongs to another venue.
        case otherVenue = "other_venue"
        /// The archive has another origin than the published one.
        case otherOrigin = "other_origin"
        /// There is a newer revision, and the archive would now make other changes.
        case headMoved = "head_moved"
        /// The key that requested the publication was revoked, or has expired.
        case keyRevoked = "key_revoked"
        /// The archive contradicts edits, and the venue asks what to do then.
        case overrides
    }

    public struct Progress: Sendable, Codable {
        @OrNull public var phase: Phase?
        public var done: Int
        public var total: Int

        public init(phase: Phase?, done: Int, total: Int) {
            self.phase = phase
            self.done = done
            self.total = total
        }
    }

    /// The number of findings by severity. It counts all findings, even those that were not stored.
    public struct FindingCounts: Sendable, Codable {
        public var complete: Bool
        public var error: Int
        public var warning: Int
        public var info: Int

        public init(complete: Bool, error: Int, warning: Int, info: Int) {
            self.complete = complete
            self.error = error
            self.warning = warning
            self.info = info
        }
    }

    /// How the ids of the archive relate to those of the previous revision.
    public struct Identity: Sendable, Codable, Equatable {
        public var kept: Int
        public var aliased: Int
        public var matched: Int
        public var near: Int
        public var new: Int
        public var gone: Int

        public init(kept: Int, aliased: Int, matched: Int, near: Int, new: Int, gone: Int) {
            self.kept = kept
            self.aliased = aliased
            self.matched = matched
            self.near = near
            self.new = new
            self.gone = gone
        }
    }

    /// What became of the venue's overrides, by number.
    public struct OverrideCounts: Sendable, Codable, Equatable {
        /// The archive says what it said when the edit was made.
        public var quiet: Int
        /// The archive says what the edit says; the override has ended.
        public var redundant: Int
        /// The archive says something else; the override holds until somebody decides.
        public var contested: Int
        /// The archive does not have the feature.
        public var orphaned: Int
        /// The archive says something else, and the override has ended because the venue prefers the archive.
        public var yielded: Int

        package init(quiet: Int = 0, redundant: Int = 0, contested: Int = 0, orphaned: Int = 0, yielded: Int = 0) {
            self.quiet = quiet
            self.redundant = redundant
            self.contested = contested
            self.orphaned = orphaned
            self.yielded = yielded
        }
    }

    public var id: String
    public var venue: VenueKey
    public var createdVenue: Bool
    public var state: State
    public var reasons: [String]
    @OrNull public var message: String?
    /// What the file of the archive was called where it was uploaded; null if the client did not say.
    @OrNull public var fileName: String?
    public var author: String
    public var archive: Digest
    public var bytes: Int64
    /// The revision that the archive was compared with; null before the comparison.
    @OrNull public var base: Int64?
    @OrNull public var revision: Int64?
    /// When the upload will be published automatically; null if it will not.
    @OrNull public var publishAt: Date?
    /// The name of the key that published the upload after it was staged.
    @OrNull public var publishedBy: String?
    public var attempts: Int
    public var progress: Progress
    public var findings: FindingCounts
    @OrNull public var identity: Identity?
    @OrNull public var changes: ChangeSummary?
    /// Null before the comparison, and of a venue without overrides.
    @OrNull public var overrides: OverrideCounts?
    /// The reason of `failed`.
    @OrNull public var failure: String?
    public var receivedAt: Date
    @OrNull public var finishedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, venue, state, reasons, message, author, archive, bytes, base, revision, attempts, progress, findings
        case identity, changes, overrides, failure
        case createdVenue = "created_venue"
        case fileName = "file_name"
        case publishAt = "publish_at"
        case publishedBy = "published_by"
        case receivedAt = "received_at"
        case finishedAt = "finished_at"
    }

    public init(
        id: String, venue: VenueKey, createdVenue: Bool, state: State, reasons: [String], message: String?,
        fileName: String?, author: String,
        archive: Digest, bytes: Int64, base: Int64?, revision: Int64?, publishAt: Date?,
        publishedBy: String?, attempts: Int,
        progress: Progress,
        findings: FindingCounts, identity: Identity?, changes: ChangeSummary?, overrides: OverrideCounts? = nil,
        failure: String?, receivedAt: Date, finishedAt: Date?
    ) {
        self.id = id
        self.venue = venue
        self.createdVenue = createdVenue
        self.state = state
        self.reasons = reasons
        self.message = message
        self.fileName = fileName
        self.author = author
        self.archive = archive
        self.bytes = bytes
        self.base = base
        self.revision = revision
        self.publishAt = publishAt
        self.publishedBy = publishedBy
        self.attempts = attempts
        self.progress = progress
        self.findings = findings
        self.identity = identity
        self.changes = changes
        self.overrides = overrides
        self.failure = failure
        self.receivedAt = receivedAt
        self.finishedAt = finishedAt
    }
}
