import Foundation
import GoogleMaps

/// A floor as a layer of Google Maps.
final class FloorTiles: @unchecked Sendable {
    /// The response of `tiles/changes`.
    private struct Changes: Decodable {
        struct Floor: Decodable {
            let ordinal: Int?
            let tiles: Set<String>?  // names such as 18/232753/103432; nil for all

            enum CodingKeys: CodingKey { case ordinal, tiles }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                self.ordinal = try container.decodeIfPresent(Int.self, forKey: .ordinal)
                self.tiles = try? container.decode(Set<String>.self, forKey: .tiles)
            }
        }

        let to: Int
        let edition: String
        let floors: [Floor]
    }

    private let venue: String
    private let ordinal: Int
    private let token: String
    private let lock = NSLock()  // the layer requests addresses on any thread
    private var revision: Int
    private var edition = ""
    private var updates: [(version: String, floor: Changes.Floor)] = []  // newest first

    init(venue: String, ordinal: Int, token: String, revision: Int) {
        (self.venue, self.ordinal, self.token, self.revision) = (venue, ordinal, token, revision)
    }

    @MainActor func layer() -> GMSURLTileLayer {
        let layer = GMSURLTileLayer { x, y, zoom in self.address(x, y, zoom) }
        layer.tileSize = 512
        return layer
    }

    private func address(_ x: UInt, _ y: UInt, _ zoom: UInt) -> URL? {
        guard (14...22).contains(zoom) else { return nil }
        let name = "\(zoom)/\(x)/\(y)"
        let update = self.lock.withLock { self.updates.first { $0.floor.tiles?.contains(name) ?? true } }
        let version = update.map { "&version=\($0.version)" } ?? ""
        let tile = "L\(self.ordinal)_\(zoom)_\(x)_\(y)@2x.png"
        return URL(string: "\(self.venue)/tiles/\(tile)?lang=en&theme=light&token=\(self.token)\(version)")
    }

    /// Requests the tiles again if a new revision changes any of this floor.
    @MainActor func refresh(_ layer: GMSURLTileLayer) async throws {
        let (since, edition) = self.lock.withLock { (self.revision, self.edition) }
        let query = "since=\(since)&format=png&lang=en&theme=light&token=\(self.token)"
        let known = edition.isEmpty ? "" : "&edition=\(edition)"
        guard let url = URL(string: "\(self.venue)/tiles/changes?\(query)\(known)") else { throw URLError(.badURL) }
        let (data, response) = try await URLSession.shared.data(from: url)
        // 401, 404 or 410: start again with a new token and revision
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        let changes = try JSONDecoder().decode(Changes.self, from: data)
        let floors = changes.floors.filter { $0.ordinal == self.ordinal }
        self.lock.withLock {
            self.revision = changes.to
            self.edition = changes.edition
            let version = "\(changes.to)-\(changes.edition.prefix(8))"
            self.updates.insert(contentsOf: floors.map { (version, $0) }, at: 0)
        }
        if !floors.isEmpty { layer.clearTileCache() }
    }
}
