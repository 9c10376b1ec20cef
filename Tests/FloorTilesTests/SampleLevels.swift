import FloorTiles
import IMDF
import SampleVenue

/// One renderer for all tests: reading the fonts takes a while.
let renderer = TileRenderer()

extension SampleVenue {
    /// Every level as a server prepares it, by id.
    func preparedLevels() -> [PreparedLevel] {
        self.levelContents().map { self.preparedLevel($0.level, $0.features) }
    }

    /// The features on each level, and those that touch it, by the id of the level.
    func levelContents() -> [(level: FeatureID, features: [SampleFeature])] {
        var contents: [FeatureID: [SampleFeature]] = [:]
        for (feature, placement) in zip(self.features, self.placements) {
            let own = feature.type == .level ? feature.id : nil
            for level in Set([own, placement.level].compactMap(\.self) + placement.touches) {
                contents[level, default: []].append(feature)
            }
        }
        return self.features.filter { $0.type == .level }.map(\.id).sorted().map { ($0, contents[$0] ?? []) }
    }

    func preparedLevel(_ level: FeatureID, _ features: [SampleFeature]) -> PreparedLevel {
        PreparedLevel(
            level: level,
            features: features.map { feature in
                (id: feature.id, type: feature.type, body: CanonicalJSON.data(.object(feature.body)))
            }, language: self.manifest["language"]?.string)
    }
}

extension PreparedLevel {
    /// A tile in the middle of the level.
    func middleTile(zoom: Int) throws -> TileAddress {
        let tiles = self.tiles(zoom: zoom)
        return tiles[tiles.count / 2]
    }
}
