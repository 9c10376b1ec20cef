package import Foundation

/// The permissions of a key; each role includes the ones before.
package enum Role: String, Sendable, Codable, Comparable, CaseIterable {
    case read, publish, admin

    private var rank: Int {
        switch self {
        case .read: 0
        case .publish: 1
        case .admin: 2
        }
    }

    package static func < (left: Role, right: Role) -> Bool {
        left.rank < right.rank
    }
}

/// An API key: `GET /keys`. Only the response that creates a key contains its secret.
package struct AccessKey: Sendable, Codable {
    package var id: String
    package var name: String
    package var role: Role
    /// Venue keys, or `*` alone for every venue.
    package var venues: [String]
    package var createdAt: Date
    /// Nil for a key that is valid until it is revoked.
    package var expiresAt: Date?
    /// To about an hour; nil for a key that was never used.
    package var lastUsedAt: Date?
    package var secret: String?

    enum CodingKeys: String, CodingKey {
        case id, name, role, venues, secret
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case lastUsedAt = "last_used_at"
    }

    package init(
        id: String, name: String, role: Role, venues: [String], createdAt: Date, expiresAt: Date? = nil,
        lastUsedAt: Date? = nil, secret: String? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.venues = venues
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.secret = secret
    }
}

/// An error response: `application/problem+json` (RFC 9457).
package struct Problem: Error, Sendable, Codable, Hashable {
    /// Stable: `/problems/{slug}`.
    package var type: String
    package var title: String
    package var status: Int
    package var detail: String?
    /// An RFC 6901 pointer into the body of the request, to the value that is refused.
    package var pointer: String?

    package init(_ slug: String, status: Int, title: String, detail: String? = nil, pointer: String? = nil) {
        self.type = "/problems/\(slug)"
        self.title = title
        self.status = status
        self.detail = detail
        self.pointer = pointer
    }
}
