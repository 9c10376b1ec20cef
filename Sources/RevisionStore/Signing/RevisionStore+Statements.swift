import IMDF
import Postgres
import SyncModel

/// Signed statements about revisions. They are written with the revision, by the process that publishes it.
extension RevisionStore {
    /// The stored document about a revision; nil if the revision was published without a key. It is not verified.
    package func statement(of number: Int64, of venue: VenueRecord) async throws -> [UInt8]? {
        try await self.read(
            "SELECT document FROM revision_statement WHERE venue_id = \(venue.id) AND revision = \(number)",
            of: venue, at: number
        ).decode(String.self).first.map { Array($0.utf8) }
    }

    /// Signs a published revision as it is stored now, also if it has a statement already: for revisions that were published
    /// without a key, or whose key was compromised. Whoever requests it confirms the content.
    ///
    /// - Throws: `notSignable` if this process has no key, or the content contradicts the digest of the revision.
    package func sign(
        _ number: Int64, of venue: VenueRecord, by authorization: Authorization
    ) async throws {
        guard let signing = self.signing else { throw StoreError.notSignable(.noKey) }
        let revision = try await self.revision(number, of: venue)
        let states = try await self.levelStates(of: venue, at: revision)
        try await self.write(to: venue.key, by: authorization) { connection in
            let rows = try await connection.query(
                """
                SELECT manifest FROM revision JOIN venue ON venue.id = venue_id
                WHERE venue_id = \(venue.id) AND number = \(number) AND epoch = \(venue.epoch) FOR SHARE OF revision
                """)
            guard let manifest = try rows.decode(String?.self).first else { throw StoreError.venueReplaced }
            let content = StatementContent(venue: venue, number: number, manifest: manifest, states: states)
            try content.check(revision.digest)
            let document = try signing.document(of: content, digest: revision.digest, at: revision.publishedAt)
            _ = try await connection.query(
                """
                INSERT INTO revision_statement (venue_id, revision, document)
                VALUES (\(venue.id), \(number), \(document))
                ON CONFLICT (venue_id, revision) DO UPDATE SET document = EXCLUDED.document
                """)
        }
    }

    /// What is signed about a revision that is being written; nil if this process has no key.
    ///
    /// A revision after the first is signed only if the one before has a valid statement: everything in the database can be written
    /// by others than this program, also the absence of a statement. So an administrator has to sign the newest revision of a venue once,
    /// when it was published without a key.
    ///
    /// - Throws: `notSignable` if a level that the revision does not change differs from what was signed last, or nothing was signed.
    func contentToSign(of revision: RevisionRow, on connection: Connection) async throws -> StatementContent? {
        guard let signing = self.signing, signing.signerID != nil else { return nil }
        let venue = revision.venue.id
        let content = StatementContent(
            venue: revision.venue, number: revision.number, manifest: revision.manifest,
            states: try await Self.newestStates(of: venue, at: revision.number, on: connection))
        try content.check(revision.digest)
        let rows = try await connection.pipeline([
            """
            SELECT document FROM revision_statement WHERE venue_id = \(venue) AND revision = \(revision.number - 1)
            """,
            "SELECT level_id FROM level_state WHERE venue_id = \(venue) AND revision = \(revision.number)",
        ])
        guard revision.number > 1 else { return content }
        guard let document = try rows[0].decode(String.self).first else {
            throw StoreError.notSignable(.unverifiedBase)
        }
        let changed = Set(try rows[1].decode(FeatureID?.self))
        try content.check(against: signing.verified(Array(document.utf8)), except: changed)
        return content
    }
}

extension SigningKeys {
    /// A stored statement.
    ///
    /// - Throws: `notSignable` unless it is signed with one of these keys.
    fileprivate func verified(_ document: [UInt8]) throws -> RevisionStatement {
        guard let signed = try? SignedStatement(document), (try? signed.verify(trusting: self.trusted)) != nil else {
            throw StoreError.notSignable(.unverifiedBase)
        }
        return signed.statement
    }
}
