import Foundation
import SyncModel

/// What an app with map tiles of the server draws.
public enum TileKind: Hashable, Sendable {
    /// Images in the language of a BCP 47 tag, nil for that of the venue.
    case images(language: String? = nil, isDark: Bool = false)
    /// Vector tiles whose property `name` is in that language.
    case vectors(language: String? = nil)
}

extension VenueReplica {
    /// The tiles that differ between a revision and the newest one, or another one. A level of which too many tiles may differ has all.
    ///
    ///     let stale = try await replica.staleTiles(since: shownRevision, of: .images())
    ///     if !stale.isEmpty { layer.clearTileCache() }
    ///
    /// - Parameters:
    ///   - revision: That of the tiles which the app has. It may be the later one.
    ///   - edition: ``StaleTiles/edition`` of the last call. If the server draws differently since, all tiles are stale.
    /// - Throws: ``SyncError``, or `CancellationError`.
    public nonisolated func staleTiles(
        since revision: Int64, to newer: Int64? = nil, of kind: TileKind, edition: String? = nil
    ) async throws -> StaleTiles {
        var items = [URLQueryItem(name: "since", value: "\(revision)")]
        if let newer { items.append(URLQueryItem(name: "to", value: "\(newer)")) }
        let language: String?
        switch kind {
        case .images(let tag, let isDark):
            items += [
                URLQueryItem(name: "format", value: "png"),
                URLQueryItem(name: "theme", value: isDark ? "dark" : "light"),
            ]
            language = tag
        case .vectors(let tag):
            items.append(URLQueryItem(name: "format", value: "mvt"))
            language = tag
        }
        if let language { items.append(URLQueryItem(name: "lang", value: language)) }
        if let edition { items.append(URLQueryItem(name: "edition", value: edition)) }
        var components = URLComponents()
        components.queryItems = items
        let path = "/venues/\(self.venue)/tiles/changes?\(components.percentEncodedQuery ?? "")"
        return try await self.exchange.retrying(self.exchange.policy.attempts) {
            try await self.exchange.value(StaleTiles.self, path)
        }
    }
}
