package import IMDF
import Postgres
package import SyncModel

/// An upload that a worker has claimed. While its lease is renewed, no other worker claims it.
package struct Job: Sendable {
    /// The difference that was shown when the upload was staged.
    package struct ShownDifference: Sendable, Hashable {
        /// The revision that the archive was compared with; 0 before the first.
        package let base: Int64
        /// The digest of the difference.
        package let digest: Digest
    }

    /// A request to publish a staged upload.
    package struct PublishRequest: Sendable, Hashable {
        /// The revision that the author believes to be the newest; nil to replace any.
        package let base: Int64?
        /// Reasons that do not prevent the publication.
        package let confirmed: Set<String>

        package init(base: Int64?, confirmed: Set<String>) {
            self.base = base
            self.confirmed = confirmed
        }
    }

    /// The outcome of an upload whose rules are still to be run.
    package struct Outcome: Sendable, Hashable {
        /// The revision that the archive was compared with; 0 before the first.
        package let base: Int64
        /// The revision that the upload was published as; nil for an upload that changed nothing.
        package let revision: Int64?
    }

    package let upload: UploadID
    package let lease: LeaseID
    package let venue: VenueKey
    package let options: UploadOptions
    package let author: String
    package let message: String?
    package let attempt: Int
    package let archiveBytes: Int64
    /// Nil for an upload that was not staged before.
    package let shownDifference: ShownDifference?
    /// Nil without a request: a staged upload is published because its time has come.
    package let publishRequest: PublishRequest?
    /// Whether all rules were run when the upload was staged.
    package let isValidated: Bool
    /// Whether findings of the upload are stored.
    package let hasFindings: Bool
    /// For an upload that is published or unchanged and not validated yet; nil for any other.
    package let outcome: Outcome?
    /// The authorization of the last request to publish the upload.
    package let authorization: Authorization
}

extension RevisionStore {
    static let jobColumns: Query = """
        upload.id, venue.key, upload.options::text, upload.author, upload.message, upload.attempts, archive.bytes,
        upload.base, upload.difference_digest, upload.publish_base, upload.publish_confirm, upload.state, upload.revision,
        upload.findings_complete AND upload.rule_set IS NOT NULL, upload.finding_counts <> '{}', upload.authorized_by
        """

    static func job(of row: Row, lease: LeaseID) throws -> Job {
        guard let venue = VenueKey(try row.decode(1, as: String.self)) else {
            throw PostgresError.decoding("a venue key")
        }
        let digest = try row.decode(8, as: Digest?.self)
        let base = try row.decode(9, as: Int64?.self)
        let confirmed = try row.decode(10, as: [String]?.self)
        let isFinished = try row.decode(11, as: String.self) != Upload.State.processing.rawValue
        return Job(
            upload: try row.decode(0), lease: lease, venue: venue,
            options: try Self.json(row.decode(2, as: String.self), as: UploadOptions.self), author: try row.decode(3),
            message: try row.decode(4), attempt: Int(try row.decode(5, as: Int32.self)),
            archiveBytes: try row.decode(6),
            shownDifference: try digest.map {
                Job.ShownDifference(base: try row.decode(7, as: Int64?.self) ?? 0, digest: $0)
            },
            publishRequest: confirmed.map { Job.PublishRequest(base: base, confirmed: Set($0)) },
            isValidated: try row.decode(13),
            hasFindings: try row.decode(14),
            outcome: isFinished
                ? Job.Outcome(base: try row.decode(7, as: Int64?.self) ?? 0, revision: try row.decode(12)) : nil,
            authorization: Authorization(
                key: try row.decode(15), author: try row.decode(3), role: .publish, venue: venue))
    }
}
