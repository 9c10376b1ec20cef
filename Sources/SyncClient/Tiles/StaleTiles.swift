public import IMDF
public import VenueMap

/// The tiles of a venue that differ between two revisions, exactly. An app removes these from its caches and keeps all others.
public struct StaleTiles: Hashable, Sendable, Decodable {
    public enum Tiles: Hashable, Sendable {
        /// Every tile of the floor.
        case all
        /// Exactly these, by zoom, row and column.
        case some(Set<WebMercator.Tile>)
    }

    public struct Floor: Hashable, Sendable, Decodable {
        /// Nil for images of the ordinal that differ where those of none of its levels do: labels of levels give way to each other.
        public let level: FeatureID?
        public let ordinal: Int?
        public let tiles: Tiles

        private enum CodingKeys: String, CodingKey {
            case level = "level_id"
            case ordinal, tiles
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.level = try container.decodeIfPresent(FeatureID.self, forKey: .level)
            self.ordinal = try container.decodeIfPresent(Int.self, forKey: .ordinal)
            if let text = try? container.decode(String.self, forKey: .tiles) {
                guard text == "all" else { throw Self.fault("an unknown text instead of tiles", container) }
                self.tiles = .all
                return
            }
            let paths = try container.decode([String].self, forKey: .tiles)
            self.tiles = .some(
                Set(
                    try paths.map { path in
                        let numbers = path.split(separator: "/").compactMap { Int($0) }
                        guard numbers.count == 3 else { throw Self.fault("not the path of a tile", container) }
                        return WebMercator.Tile(zoom: numbers[0], x: numbers[1], y: numbers[2])
                    }))
        }

        private static func fault(
            _ description: String, _ container: KeyedDecodingContainer<CodingKeys>
        ) -> DecodingError {
            .dataCorruptedError(forKey: .tiles, in: container, debugDescription: description)
        }
    }

    /// The revision whose tiles the app has.
    public let from: Int64
    public let to: Int64
    /// Identifies the renderer of the server, with its libraries, fonts and cartography; for the next call.
    public let edition: String
    /// Only levels with tiles that differ.
    public let floors: [Floor]

    /// Whether no tile differs, so that a layer keeps everything.
    public var isEmpty: Bool { self.floors.isEmpty }

    /// Whether a tile of the floor with an ordinal differs. Such a tile shows all levels with this ordinal.
    public func contains(_ tile: WebMercator.Tile, ordinal: Int) -> Bool {
        self.floors.contains { floor in
            guard floor.ordinal == ordinal else { return false }
            return switch floor.tiles {
            case .all: true
            case .some(let tiles): tiles.contains(tile)
            }
        }
    }
}
