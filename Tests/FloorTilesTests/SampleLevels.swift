import FloorTiles
import IMDF
import SampleVenue

/// One renderer for all tests: reading the fonts takes a while.
let renderer = TileRenderer()

extension SampleVenue {
    /// Every level as a server prepares it, by id.
    func preparedLevels() -> [PreparedLevel] {
        let placements = self.placements
        let language = self.manifest["language"]?.string
        return self.features.filter { $0.type == .level }.sorted { $0.id < $1.id }.map { level in
            let features = zip(self.features, placements).filter { feature, placement in
                feature.id == level.id || placement.level == level.id || placement.touches.contains(level.id)
            }
            return PreparedLevel(
                level: level.id,
                features: features.map { feature, _ in
                    (id: feature.id, type: feature.type, body: CanonicalJSON.data(.object(feature.body)))
                }, language: language)
        }
    }
}

extension PreparedLevel {
    /// A tile in the middle of the level.
    func middleTile(zoom: Int) throws -> TileAddress {
        let tiles = self.tiles(zoom: zoom)
        return tiles[tiles.count / 2]
    }
}
