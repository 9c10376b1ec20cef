import Foundation
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

    private struct NewToken: Decodable {
        let expires_in: Int64
    }

    private struct CreatedToken: Encodable {
        let token: String
        let expires_at: Date
    }

    /// `POST /venues/{venue}/tile-tokens` `{"expires_in"}`: seconds, 30 days at most.
    @Sendable func create(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let lifetime = try await request.json(NewToken.self).expires_in
        guard (1...TileToken.maximumLifetime).contains(lifetime) else {
            throw Problem.body("“expires_in” must be a number of seconds from 1 to \(TileToken.maximumLifetime)")
        }
        let expiry = Int64(Date().timeIntervalSince1970) + lifetime
        let key: KeyID? =
            switch context.permission.principal {
            case .key(let record): record.id
            case .anonymous: TileToken.anyone
            case .admin: nil
            case .unknownKey: throw Problem.unauthorized
            }
        let token = TileToken(
            for: context.venue, key: key, expiry: expiry, adminKey: self.adminKey, sealedBy: self.readModel.cursorSeal)
        let created = CreatedToken(
            token: token.description, expires_at: Date(timeIntervalSince1970: Double(expiry)))
        return try Response.json(created, status: .created).cached("no-store", isPublic: false)
    }
}
