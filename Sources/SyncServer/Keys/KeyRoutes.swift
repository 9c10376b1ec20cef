import Foundation
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// API keys, for administrators of every venue.
struct KeyRoutes: Sendable {
    let store: RevisionStore

    func add(to routes: RouteGroups) {
        routes.admins.get("keys", use: self.list)
        routes.admins.post("keys", use: self.create)
        routes.admins.delete("keys/{id}", use: self.revoke)
    }

    private struct KeyList: Encodable {
        let keys: [AccessKey]
    }

    private struct NewKey: Decodable {
        let name: String
        let role: Role
        let venues: [String]
        let expires_at: Date?
    }

    /// `GET /keys`
    @Sendable func list(_ request: Request, _ context: AdminContext) async throws -> Response {
        let uses = try await self.store.lastKeyUses()
        let keys = try await self.store.keys().map { AccessKey($0, lastUsedAt: uses[$0.id]) }
        return try Response.json(KeyList(keys: keys)).cached("no-store", isPublic: false)
    }

    /// `POST /keys` `{"name", "role", "venues", "expires_at"?}`: the secret is in this response and nowhere else.
    @Sendable func create(_ request: Request, _ context: AdminContext) async throws -> Response {
        let newKey = try await request.json(NewKey.self, members: ["name", "role", "venues", "expires_at"])
        guard !newKey.name.isEmpty, newKey.name.utf8.count <= 200, !newKey.name.utf8.contains(0) else {
            throw Problem.body("“name” must have 1 to 200 bytes", at: "/name")
        }
        guard newKey.expires_at.map({ $0 > Date() }) ?? true else {
            throw Problem.body("“expires_at” must be in the future", at: "/expires_at")
        }
        let token = KeyToken.random()
        let key = try await self.store.addKey(
            token.id, name: newKey.name, role: newKey.role, venues: try Self.venues(newKey.venues),
            secretHash: token.hash.bytes, expiresAt: newKey.expires_at, by: context.authorization)
        return try Response.json(AccessKey(key, secret: token.description), status: .created)
            .cached("no-store", isPublic: false)
    }

    /// `DELETE /keys/{id}`
    @Sendable func revoke(_ request: Request, _ context: AdminContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap(KeyID.init) else { throw StoreError.unknownKey }
        try await self.store.removeKey(id, by: context.authorization)
        return Response(status: .noContent)
    }

    private static func venues(_ names: [String]) throws -> Set<VenueKey>? {
        if names == ["*"] { return nil }
        let keys = names.compactMap(VenueKey.init)
        guard !names.isEmpty, keys.count == names.count else {
            throw Problem.body("“venues” must be a list of venue keys, or [\"*\"] for every venue", at: "/venues")
        }
        return Set(keys)
    }
}
