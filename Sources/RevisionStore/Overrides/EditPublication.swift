import Foundation
package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// An edit as the next revision of a venue. The manifest, its language and the names of files remain those of the base.
package struct EditPublication: Sendable {
    package var venue: VenueRecord
    /// By id, so that publications do not deadlock.
    package var versions: [Publication.Version]
    package var removed: [FeatureID]
    /// The states of all levels that the edit changes.
    package var levelStates: [LevelState]
    package var metadata: Metadata
    package var message: String?
    package var changes: ChangeSummary
    package var facts: [Fact]
    package var overrides: OverrideChanges
    /// The author of the revision, if it is not the one of the authorization.
    package var author: String?

    /// What the edit changes of what a revision records of the venue.
    package struct Metadata: Sendable {
        /// The number of added features, less that of removed ones.
        package var addedFeatures: Int
        package var country: Country?

        package struct Country: Sendable {
            package var code: String?

            package init(code: String?) {
                self.code = code
            }
        }

        package init(addedFeatures: Int, country: Country?) {
            self.addedFeatures = addedFeatures
            self.country = country
        }
    }

    package init(
        venue: VenueRecord, versions: [Publication.Version], removed: [FeatureID], levelStates: [LevelState],
        metadata: Metadata, message: String?, changes: ChangeSummary, facts: [Fact], overrides: OverrideChanges,
        author: String? = nil
    ) {
        self.venue = venue
        self.versions = versions
        self.removed = removed
        self.levelStates = levelStates
        self.metadata = metadata
        self.message = message
        self.changes = changes
        self.facts = facts
        self.overrides = overrides
        self.author = author
    }
}

/// The outcome of a request with an id.
package struct EditRecord: Sendable {
    package var id: FeatureID
    /// Of the body of the request.
    package var digest: Digest
    /// The body of the response.
    package var outcome: String

    package init(id: FeatureID, digest: Digest, outcome: String) {
        self.id = id
        self.digest = digest
        self.outcome = outcome
    }
}

extension RevisionStore {
    /// Publishes an edit as the next revision.
    ///
    /// - Returns: The new revision's number.
    /// - Throws: `headMoved` if another revision was published or an override changed since the edit was planned, or if a request
    ///   with the same id was processed meanwhile.
    package func publish(
        _ edit: EditPublication, recording request: EditRecord?, by authorization: Authorization
    ) async throws -> Int64 {
        try await self.withPublication(in: edit.venue) { connection in
            let (venue, number) = (edit.venue.id, edit.venue.head + 1)
            try await Self.write(edit.versions, as: number, of: venue, on: connection)
            try await Self.check(authorization, on: connection)
            try await Self.advanceHead(of: edit.venue, from: edit.venue.head, on: connection)
            if let request { try await Self.record(request, of: venue, on: connection) }
            try await Self.endSpans(
                of: edit.versions.map(\.feature) + edit.removed, at: number, of: venue, on: connection)
            try await Self.endAliases(at: number, of: venue, on: connection)
            try await Self.write(edit.overrides, at: number, of: venue, on: connection)
            try await Self.write(edit.levelStates, at: number, of: venue, on: connection)
            try await self.record(edit, as: number, by: authorization, on: connection)
            return number
        }
    }

    private func record(
        _ edit: EditPublication, as number: Int64, by authorization: Authorization, on connection: Connection
    ) async throws {
        let rows = try await connection.query(
            """
            SELECT manifest, file_names::text, language, country, venue_feature_id, features FROM revision
            WHERE venue_id = \(edit.venue.id) AND number = \(edit.venue.head)
            """)
        guard let row = rows.first else { throw StoreError.headMoved }
        let manifest = try row.decode(0, as: String?.self)
        let digest = try await Self.digest(
            of: edit.venue.id, at: number, manifest: manifest.map { Array($0.utf8) }, on: connection)
        let features = Int(try row.decode(5, as: Int32.self)) + edit.metadata.addedFeatures
        let country = try edit.metadata.country.map(\.code) ?? row.decode(3, as: String?.self)
        try await self.record(
            RevisionRow(
                venue: edit.venue, number: number, kind: .edit, restores: nil, upload: nil,
                author: edit.author ?? authorization.author, message: edit.message, features: features,
                digest: digest, manifest: manifest, fileNames: try row.decode(1), venueFeature: try row.decode(4),
                language: try row.decode(2), country: country, facts: edit.facts, changes: edit.changes),
            on: connection)
    }

    // MARK: - Requests with an id

    /// The first outcome of the request with an id; nil if there is none.
    package func editRecord(_ id: FeatureID, of venue: VenueRecord) async throws -> EditRecord? {
        try await self.pool.query(
            "SELECT body_sha256, outcome FROM edit_request WHERE venue_id = \(venue.id) AND id = \(id)"
        ).decode((Digest, String).self).first.map { EditRecord(id: id, digest: $0.0, outcome: $0.1) }
    }

    static func record(_ request: EditRecord, of venue: Int64, on connection: Connection) async throws {
        let recorded = try await connection.query(
            """
            INSERT INTO edit_request (venue_id, id, body_sha256, outcome)
            VALUES (\(venue), \(request.id), \(request.digest), \(request.outcome)) ON CONFLICT DO NOTHING
            """)
        // The next attempt finds the outcome of the other request.
        guard recorded.affected == 1 else { throw StoreError.headMoved }
    }

    /// Stores the outcome of a request that changed nothing.
    package func record(_ request: EditRecord, of venue: VenueRecord, by authorization: Authorization) async throws {
        _ = try await self.withPublication(in: venue) { connection in
            try await Self.check(authorization, on: connection)
            try await Self.lockHead(of: venue, on: connection)
            try await Self.record(request, of: venue.id, on: connection)
            return venue.head
        }
    }

    /// The number of days for which outcomes are kept.
    private static let editRecordDays: Int32 = 30

    /// Deletes some outcomes that are too old.
    ///
    /// - Returns: The number of them.
    package func sweepEditRecords() async throws -> Int {
        try await self.pool.query(
            """
            DELETE FROM edit_request WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM edit_request
                WHERE recorded_at < now() - make_interval(days => \(Self.editRecordDays))
                ORDER BY recorded_at LIMIT 1000 FOR UPDATE SKIP LOCKED))
            """
        ).affected
    }
}
