import ArgumentParser
import FloorTiles
import Foundation
import IMDF
import IMDFArchive
import SampleVenue

/// Measures how long tiles of a floor take, and writes pictures of floors.
@main
struct TileBenchmark: ParsableCommand {
    @Option(help: "An archive; without one, a generated venue with 1,000 units on a floor.")
    var archive: String?
    @Option(help: "Units on each level of the generated venue.")
    var units = 1_000
    @Option(help: "A folder in which a picture of each level is written.")
    var pictures: String?
    @Option(help: "The zoom of the pictures.")
    var zoom = 18
    @Option var language: String?
    @Option var theme = "light"
    @Option var scale = 1

    func run() throws {
        let venue: SampleVenue
        if let archive {
            venue = try SampleVenue(reading: Array(Data(contentsOf: URL(filePath: archive))))
        } else {
            venue = SampleVenue(SampleVenue.Options(levels: 1, unitsPerLevel: self.units))
        }
        let renderer = TileRenderer()
        let levels = venue.preparedLevels()
        if let pictures { return try self.write(levels, by: renderer, to: pictures) }
        for level in levels.prefix(1) { self.measure(level, by: renderer) }
    }

    private func write(_ levels: [PreparedLevel], by renderer: TileRenderer, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let variant = TileVariant(
            format: .png, language: self.language, theme: TileTheme(rawValue: self.theme) ?? .light, scale: self.scale)
        for level in levels {
            guard let picture = renderer.picture(of: [level], zoom: self.zoom, variant) else { continue }
            let name = "\(level.ordinal ?? 0)-\(level.id.description.prefix(4))-\(self.zoom).png"
            try Data(picture).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    private func measure(_ level: PreparedLevel, by renderer: TileRenderer) {
        for zoom in [16, 18, 20] {
            for format in TileFormat.allCases {
                let tiles = level.tiles(zoom: zoom)
                let variant = TileVariant(format: format)
                _ = renderer.tile(of: [level], at: tiles[0], variant)
                let clock = ContinuousClock()
                var bytes = 0
                let duration = clock.measure {
                    for tile in tiles { bytes += renderer.tile(of: [level], at: tile, variant).count }
                }
                let seconds = duration / .seconds(1)
                print(
                    "\(format) z\(zoom): \(tiles.count) tiles, \(Int(Double(tiles.count) / seconds)) tiles/s, "
                        + "\(bytes / tiles.count) bytes")
            }
        }
    }
}

extension SampleVenue {
    /// Every level as a server prepares it.
    fileprivate func preparedLevels() -> [PreparedLevel] {
        let placements = self.placements
        let language = self.manifest["language"]?.string
        return self.features.filter { $0.type == .level }.map { level in
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
