import IMDF
package import RevisionStore
package import SyncModel

/// Who sends a request.
package enum Principal: Sendable {
    case anonymous
    /// A key that this server does not know, or whose secret is wrong.
    case unknownKey
    case key(KeyRecord)
    /// The administrator key of the configuration.
    case admin

    /// The author of the revisions that the principal publishes.
    package var name: String {
        switch self {
        case .anonymous, .unknownKey: ""
        case .key(let key): key.name
        case .admin: "admin"
        }
    }

    /// Nil without a valid key.
    package var role: Role? {
        switch self {
        case .anonymous, .unknownKey: nil
        case .key(let key): key.role
        case .admin: .admin
        }
    }

    /// The venues that the key is for; nil for every venue.
    package var venues: Set<VenueKey>? {
        switch self {
        case .anonymous, .unknownKey: []
        case .key(let key): key.venues
        case .admin: nil
        }
    }

    /// Nil without a key that may be revoked.
    package var keyID: KeyID? { if case .key(let record) = self { record.id } else { nil } }

    package func isFor(_ venue: VenueKey) -> Bool { self.venues?.contains(venue) ?? true }

    /// Whether the principal may publish to the venues that the key is for.
    package var mayPublish: Bool { self.role.map { $0 >= .publish } ?? false }

    package var isForEveryVenue: Bool { self.venues == nil }

    package func isAdmin(of venue: VenueKey) -> Bool { self.role == .admin && self.isFor(venue) }

    /// The permission for a write, which the store checks once more in the transaction.
    package func authorization(for role: Role, at venue: VenueKey?) -> Authorization {
        Authorization(key: self.keyID, author: self.name, role: role, venue: venue)
    }
}
