import FloorTiles
import Foundation
import IMDF
import SampleVenue

/// The features of a level as a server reads them.
struct LevelSource {
    let id: FeatureID
    let features: [(id: FeatureID, type: FeatureType, body: [UInt8])]
    let language: String?

    func prepared() -> PreparedLevel {
        PreparedLevel(level: self.id, features: self.features, language: self.language)
    }

    /// Writes `features.geojson`, with a point for each label, and `tiles.json`.
    func export(to folder: URL, _ venue: SampleVenue) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let level = self.prepared()
        let collection: JSONObject = [
            "type": "FeatureCollection", "features": .array(level.exportedFeatures.map { .object($0) }),
        ]
        try Data(CanonicalJSON.data(.object(collection))).write(to: folder.appending(path: "features.geojson"))
        let tiles = TileBenchmark.zooms.flatMap { level.tiles(zoom: $0) }.map { tile in
            JSONValue.array([.number(Double(tile.zoom)), .number(Double(tile.x)), .number(Double(tile.y))])
        }
        try Data(CanonicalJSON.data(.array(tiles))).write(to: folder.appending(path: "tiles.json"))
    }
}

extension SampleVenue {
    /// Every level, by id.
    func levelSources() -> [LevelSource] {
        let placements = self.placements
        let language = self.manifest["language"]?.string
        return self.features.filter { $0.type == .level }.sorted { $0.id < $1.id }.map { level in
            let features = zip(self.features, placements).filter { feature, placement in
                feature.id == level.id || placement.level == level.id || placement.touches.contains(level.id)
            }
            return LevelSource(
                id: level.id,
                features: features.map { feature, _ in
                    (id: feature.id, type: feature.type, body: CanonicalJSON.data(.object(feature.body)))
                }, language: language)
        }
    }

    func preparedLevels() -> [PreparedLevel] { self.levelSources().map { $0.prepared() } }
}
