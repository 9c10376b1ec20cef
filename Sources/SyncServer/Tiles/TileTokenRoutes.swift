import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Tokens for tiles.
struct TileTokenRoutes: Sendable {
    let readModel: ReadModel
    let adminKey: KeyHash?

    func add(to routes: RouteGroups) {
        routes.readers.post("venues/{venue}/tile-tokens", use: self.create)
    }

    /// `POST /venues/{venue}/tile-tokens` `{"expires_in"}`: seconds, 30 days at most.
    @Sendable func create(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let subject = ReadToken.Subject.tiles(context.venue)
        let expiry = try await request.json(NewToken.self).expiry(for: subject)
        let key: KeyID? =
            switch context.permission.principal {
            case .key(let record): record.id
            case .anonymous: ReadToken.anyone
            case .admin: nil
            case .unknownKey: throw Problem.unauthorized
            }
        let token = ReadToken(
            for: subject, key: key, expiry: expiry, adminKey: self.adminKey, sealedBy: self.readModel.cursorSeal)
        return try Response.json(CreatedToken(token), status: .created).cached("no-store", isPublic: false)
    }
}
