public import Foundation
public import IMDF

/// What an operator signs about a revision: the digests of all its levels, so that any selection of levels can be verified.
public struct RevisionStatement: Hashable, Sendable {
    /// The digest of a level at the revision.
    public struct Level: Hashable, Sendable {
        /// Nil for the venue-wide part.
        public let id: FeatureID?
        public let digest: Digest

        public init(id: FeatureID?, digest: Digest) {
            self.id = id
            self.digest = digest
        }
    }

    /// When a statement was made about the newest revision, and until when it counts.
    public struct Validity: Hashable, Sendable {
        /// The revision was the newest one at this time.
        public let asOf: Date
        public let expires: Date

        public init(asOf: Date, expires: Date) {
            self.asOf = asOf
            self.expires = expires
        }
    }

    public let venue: VenueKey
    /// Identifies the uninterrupted sequence of revisions that ``revision`` belongs to; an opaque token.
    public let epoch: String
    public let revision: Int64
    /// The digest of the revision.
    public let digest: Digest
    /// The venue-wide part first, then all levels of the revision by id.
    public let levels: [Level]
    /// SHA-256 of the canonical manifest without `created` and `generated_by`; nil if there is none.
    public let manifestDigest: Digest?
    /// The size of all bodies of the revision, without line feeds. A client needs no more of them.
    public let bytes: Int64
    public let publishedAt: Date
    /// The ``PublicKey/id`` of the key that signs the statement.
    public package(set) var keyID: String
    /// Only in the statement about the newest revision of a venue, its *signed head*.
    public package(set) var validity: Validity?

    package static let currentProtocol = 1

    /// How long a statement about the newest revision counts.
    package static let lifetime: TimeInterval = 600

    package init(
        venue: VenueKey, epoch: String, revision: Int64, digest: Digest, levels: [Level], manifestDigest: Digest?,
        bytes: Int64, publishedAt: Date, keyID: String, validity: Validity? = nil
    ) {
        self.venue = venue
        self.epoch = epoch
        self.revision = revision
        self.digest = digest
        self.levels = levels
        self.manifestDigest = manifestDigest
        self.bytes = bytes
        self.publishedAt = publishedAt
        self.keyID = keyID
        self.validity = validity
    }

    /// The same content, to be signed with another key, in another epoch, or as the head.
    package func reissued(epoch: String, keyID: String, validity: Validity? = nil) -> RevisionStatement {
        RevisionStatement(
            venue: self.venue, epoch: epoch, revision: self.revision, digest: self.digest, levels: self.levels,
            manifestDigest: self.manifestDigest, bytes: self.bytes, publishedAt: self.publishedAt, keyID: keyID,
            validity: validity)
    }

    /// The bytes that are signed: canonical JSON (RFC 8785).
    package var signedBytes: [UInt8] { CanonicalJSON.data(.object(self.members)) }

    var members: JSONObject {
        var members = JSONObject([
            .init(key: "bytes", value: .number(Double(self.bytes))),
            .init(key: "digest", value: .string(self.digest.description)),
            .init(key: "epoch", value: .string(self.epoch)),
            .init(key: "key_id", value: .string(self.keyID)),
            .init(
                key: "levels",
                value: .array(
                    self.levels.map { level in
                        .array([
                            level.id.map { .string($0.description) } ?? .null, .string(level.digest.description),
                        ])
                    })),
            .init(key: "manifest_digest", value: self.manifestDigest.map { .string($0.description) } ?? .null),
            .init(key: "protocol", value: .number(Double(Self.currentProtocol))),
            .init(key: "published_at", value: .string(Timestamp.text(of: self.publishedAt))),
            .init(key: "revision", value: .number(Double(self.revision))),
            .init(key: "venue", value: .string(self.venue.description)),
        ])
        if let validity {
            members["as_of"] = .string(Timestamp.text(of: validity.asOf))
            members["expires"] = .string(Timestamp.text(of: validity.expires))
        }
        return members
    }
}
