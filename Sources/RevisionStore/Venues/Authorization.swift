import Postgres
package import SyncModel

/// The permission for one write, decided when the request arrived.
///
/// A key can be revoked or expire while its request is processed, so this decision alone permits nothing: every method of the store that
/// writes for a client takes an authorization and checks it again in the transaction that writes.
package struct Authorization: Sendable, Hashable {
    /// The key in `api_key`; nil for what cannot be revoked: the key of the configuration, and this program itself.
    package let key: KeyID?
    /// The author for the revision log.
    package let author: String
    /// The role that the write requires.
    package let role: Role
    /// The venue that is written; nil for what belongs to no venue, which requires a key for all venues.
    package let venue: VenueKey?

    package init(key: KeyID?, author: String, role: Role, venue: VenueKey?) {
        self.key = key
        self.author = author
        self.role = role
        self.venue = venue
    }

    /// Whose turn in the queue an upload takes: the key, or the author where there is none.
    package var submitter: String { self.key?.description ?? self.author }

    /// For what this program does by itself.
    package static let maintenance = Authorization(key: nil, author: "", role: .admin, venue: nil)
}

extension RevisionStore {
    /// Checks that the key is still valid, with the role and the venues that the write requires, and locks it until the transaction
    /// ends: a revocation waits for the transaction, or the transaction finds the key revoked. A key that expires after this check permits
    /// the rest of the transaction.
    ///
    /// The order of locks is that of ``write(to:by:_:)``.
    ///
    /// - Throws: `keyRevoked`, also for a key that has expired, or `notPermitted` if the key has another role or other venues by now.
    static func check(_ authorization: Authorization, on connection: Connection) async throws {
        guard let id = authorization.key else { return }
        let rows = try await connection.query(
            "SELECT role, venues FROM api_key WHERE id = \(id) AND \(Self.isUnexpired) FOR SHARE")
        guard let (name, venues) = try rows.decode((String, [String]).self).first else { throw StoreError.keyRevoked }
        let isForVenue = venues == ["*"] || authorization.venue.map { venues.contains($0.description) } ?? false
        guard let role = Role(rawValue: name), role >= authorization.role, isForVenue else {
            throw StoreError.notPermitted
        }
    }

    /// The error for a write to a venue that found no row with its id and epoch.
    static func writeError(for venue: VenueRecord, on connection: Connection) async throws -> StoreError {
        let rows = try await connection.query("SELECT deleted_at IS NOT NULL FROM venue WHERE id = \(venue.id)")
        switch try rows.decode(Bool.self).first {
        case nil: return .unknownVenue
        case true?: return .venueGone(venue.key, wasPublic: venue.settings.public)
        case false?: return .venueReplaced
        }
    }
}
