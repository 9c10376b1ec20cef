import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Keys: who may read and change which venues. For admins.
struct KeyRoutes {
    let store: RevisionStore
    let authorizer: Authorizer

    func add(to router: Router<VenueContext>) {
        router.get("keys", use: self.list)
        router.post("keys", use: self.create)
        router.delete("keys/{id}", use: self.revoke)
    }

    private struct KeyList: Encodable {
        let keys: [AccessKey]
    }

    private struct NewKey: Decodable {
        let name: String
        let role: Role
        let venues: [String]
    }

    /// `GET /keys`
    @Sendable func list(_ request: Request, _ context: VenueContext) async throws -> Response {
        _ = try await self.authorizer.admin(request, context)
        let keys = try await self.store.keys().map { Self.answer($0) }
        return try Response.json(KeyList(keys: keys)).cached("no-store", isPublic: false)
    }

    /// `POST /keys` `{"name", "role", "venues"}`: the secret stands in this answer and nowhere else.
    @Sendable func create(_ request: Request, _ context: VenueContext) async throws -> Response {
        let authorization = try await self.authorizer.admin(request, context)
        let wanted = try await request.json(NewKey.self)
        guard !wanted.name.isEmpty, wanted.name.utf8.count <= 200, !wanted.name.utf8.contains(0) else {
            throw Problem.body("“name” takes 1 to 200 bytes of text")
        }
        let token = KeyToken.random()
        let key = try await self.store.addKey(
            token.id, name: wanted.name, role: wanted.role, venues: try Self.venues(wanted.venues),
            secretHash: token.hash.bytes, by: authorization)
        return try Response.json(Self.answer(key, secret: token.description), status: .created)
            .cached("no-store", isPublic: false)
    }

    /// `DELETE /keys/{id}`
    @Sendable func revoke(_ request: Request, _ context: VenueContext) async throws -> Response {
        let authorization = try await self.authorizer.admin(request, context)
        guard let id = context.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownKey }
        try await self.store.removeKey(id, by: authorization)
        return Response(status: .noContent)
    }

    private static func venues(_ names: [String]) throws -> Set<VenueKey>? {
        if names == ["*"] { return nil }
        let keys = names.compactMap(VenueKey.init)
        guard !names.isEmpty, keys.count == names.count else {
            throw Problem.body("“venues” takes venue keys, or \"*\" alone for every venue")
        }
        return Set(keys)
    }

    private static func answer(_ key: KeyRecord, secret: String? = nil) -> AccessKey {
        AccessKey(
            id: key.id.description, name: key.name, role: key.role,
            venues: key.venues.map { $0.sorted().map(\.description) } ?? ["*"], createdAt: key.createdAt, secret: secret
        )
    }
}
