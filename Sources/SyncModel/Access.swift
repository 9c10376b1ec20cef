public import Foundation

/// What a key may do; each role may do what the one before may.
public enum Role: String, Sendable, Codable, Comparable, CaseIterable {
    case read, publish, admin

    private var rank: Int {
        switch self {
        case .read: 0
        case .publish: 1
        case .admin: 2
        }
    }

    public static func < (left: Role, right: Role) -> Bool {
        left.rank < right.rank
    }
}

/// A key as `GET /keys` tells it; the secret stands only in the answer that made it.
public struct AccessKey: Sendable, Codable {
    public var id: String
    public var name: String
    public var role: Role
    /// Venue keys, or `*` alone for every venue.
    public var venues: [String]
    public var createdAt: Date
    public var secret: String?

    enum CodingKeys: String, CodingKey {
        case id, name, role, venues, secret
        case createdAt = "created_at"
    }

    public init(id: String, name: String, role: Role, venues: [String], createdAt: Date, secret: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
        self.venues = venues
        self.createdAt = createdAt
        self.secret = secret
    }
}

/// Why a request was refused, as `application/problem+json` (RFC 9457).
public struct Problem: Error, Sendable, Codable, Hashable {
    /// Stable: `/problems/{slug}`.
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String?

    public init(_ slug: String, status: Int, title: String, detail: String? = nil) {
        self.type = "/problems/\(slug)"
        self.title = title
        self.status = status
        self.detail = detail
    }
}
