import Foundation
import IMDF
import IMDFDiff
import Postgres
import SyncModel

/// A row of `revision` that is being written.
struct RevisionRow {
    var venue: VenueRecord
    var number: Int64
    var kind: Revision.Kind
    var restores: Int64?
    /// The levels that a rollback restores; nil for the whole venue.
    var levels: [FeatureID]? = nil
    var upload: UploadID?
    var author: String
    var message: String?
    var features: Int
    var digest: Digest
    var manifest: String?
    var fileNames: String
    var venueFeature: FeatureID?
    var language: String?
    var country: String?
    var facts: [Fact]
    var changes: ChangeSummary
}

extension RevisionStore {
    /// A change summary as it is stored: without the description, which is made for each reader.
    static func stored(_ changes: ChangeSummary?) throws -> Query {
        "\(try changes.map { try Self.text($0) })::jsonb - 'words'"
    }

    /// Writes the revision, with its catalogue position and its time, as the last step of a publication.
    ///
    /// The rows of the venue and of the catalogue are locked by now, so numbers, positions and times are in commit order. The
    /// revision is signed, if this process has a key.
    func record(_ revision: RevisionRow, on connection: Connection) async throws {
        // Read before the row of the catalogue is locked.
        let content = try await self.contentToSign(of: revision, on: connection)
        let recorded = try await connection.query(
            """
            WITH catalogue AS (
                UPDATE catalogue SET position = position + 1,
                    chain_hash = sha256(chain_hash || convert_to(\(revision.venue.key.description), 'UTF8')
                        || int8send(\(revision.number)) || \(revision.digest))
                RETURNING position, chain_hash
            ), recorded_position AS (
                INSERT INTO catalogue_position (position, chain_hash) SELECT position, chain_hash FROM catalogue
            )
            INSERT INTO revision (venue_id, number, kind, restores, levels, upload_id, author, message, published_at,
                features, digest, manifest, file_names, venue_feature_id, language, country, facts, changes, position,
                chain_hash)
            SELECT \(revision.venue.id), \(revision.number), \(revision.kind.rawValue), \(revision.restores),
                \(revision.levels), \(revision.upload), \(revision.author), \(revision.message), clock_timestamp(),
                \(Int32(clamping: revision.features)), \(revision.digest), \(revision.manifest),
                \(revision.fileNames)::jsonb, \(revision.venueFeature), \(revision.language), \(revision.country),
                \(Self.text(revision.facts))::jsonb, \(Self.stored(revision.changes)), position, chain_hash
            FROM catalogue
            RETURNING published_at
            """)
        guard let publishedAt = try recorded.decode(Date.self).first else {
            throw PostgresError.decoding("the catalogue")
        }
        if let content, let signing = self.signing {
            let document = try signing.document(of: content, digest: revision.digest, at: publishedAt)
            _ = try await connection.query(
                """
                INSERT INTO revision_statement (venue_id, revision, document)
                VALUES (\(revision.venue.id), \(revision.number), \(document))
                """)
        }
        if revision.number == 1 {
            _ = try await connection.query(
                """
                UPDATE venue SET catalogue_index = (SELECT coalesce(max(catalogue_index), 0) + 1 FROM venue)
                WHERE id = \(revision.venue.id) AND catalogue_index IS NULL
                """)
        }
        try await Self.recordChange(of: revision.venue.id, on: connection)
    }
}
