import ArgumentParser
import BenchmarkSupport
import FloorTiles
import Foundation
import IMDF
import IMDFArchive
import SampleVenue

/// Measures how long tiles of a floor take, and writes pictures of floors. `Scripts/measure-tiles` compares with other programs.
@main
struct TileBenchmark: ParsableCommand {
    @Option(help: "An archive; without one, a generated venue with 1,000 units on a floor.")
    var archive: String?
    @Option(help: "Units on each level of the generated venue.")
    var units = 1_000
    @Option(help: "How often each measurement is repeated; the median counts.")
    var rounds = 3
    @Option(help: "Measures the tiles of one format only, `png` or `mvt`, or `changes` only.")
    var only: String?
    @Option(help: "A folder in which a picture of each level is written.")
    var pictures: String?
    @Option(help: "A folder in which the features, labels and tiles are written that other programs draw.")
    var export: String?
    @Option(help: "The zoom of the pictures.")
    var zoom = 18
    @Option var language: String?
    @Option var theme = "light"
    @Option var scale = 1

    static let zooms = 16...20

    func run() throws {
        let venue: SampleVenue
        if let archive {
            venue = try SampleVenue(reading: Array(Data(contentsOf: URL(filePath: archive))))
        } else {
            venue = SampleVenue(SampleVenue.Options(levels: 1, unitsPerLevel: self.units))
        }
        if let pictures { return try self.write(venue.preparedLevels(), by: TileRenderer(), to: pictures) }
        let source = venue.levelSources()[0]
        if let export { return try source.export(to: URL(filePath: export), venue) }
        for format in TileFormat.allCases where [nil, format.rawValue].contains(self.only) {
            self.measure(source, format)
        }
        if self.only == nil || self.only == "changes" { self.measureChanges(venue) }
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

    /// All tiles of the zooms, on one thread. The level is prepared anew in every round, so the labels are placed in the measured time.
    private func measure(_ source: LevelSource, _ format: TileFormat) {
        let variant = TileVariant(format: format)
        var prepared: [Double] = []
        var seconds: [Int: [Double]] = [:]
        var (counts, bytes): ([Int: Int], [Int: Int]) = ([:], [:])
        for _ in 0..<self.rounds {
            let renderer = TileRenderer()
            let start = cpuSeconds()
            let level = source.prepared()
            prepared.append(1_000 * (cpuSeconds() - start))
            for zoom in Self.zooms {
                let tiles = level.tiles(zoom: zoom)
                var sum = 0
                let start = cpuSeconds()
                for tile in tiles { sum += renderer.tile(of: [level], at: tile, variant).count }
                seconds[zoom, default: []].append(cpuSeconds() - start)
                (counts[zoom], bytes[zoom]) = (tiles.count, sum)
            }
        }
        report(["name": .string("\(format): level prepared"), "ms": .rounded(prepared.median)])
        for zoom in Self.zooms {
            let (count, time) = (counts[zoom] ?? 0, seconds[zoom]?.median ?? 0)
            report([
                "name": .string("\(format): zoom \(zoom)"), "tiles": .number(Double(count)),
                "tiles_per_second": .rounded(Double(count) / time),
                "bytes_per_tile": .rounded(Double(bytes[zoom] ?? 0) / Double(count)),
            ])
        }
        let total = Self.zooms.reduce(0) { $0 + (seconds[$1]?.median ?? 0) }
        let count = counts.values.reduce(0, +)
        report([
            "name": .string("\(format): all zooms"), "tiles": .number(Double(count)),
            "tiles_per_second": .rounded(Double(count) / total),
        ])
    }

    /// The tiles that the new name of one feature changes, with nothing prepared.
    private func measureChanges(_ venue: SampleVenue) {
        let other = SampleVenue(.init(levels: 1, unitsPerLevel: 40, seed: 99)).levelSources()[0].prepared()
        for format in TileFormat.allCases {
            var times: [Double] = []
            var count = 0
            for round in 0..<max(self.rounds, 5) {
                var random = SplitMix64(seed: UInt64(round))
                var edited = venue
                _ = edited.apply(Edit(.rename, 1), using: &random)
                let (old, new) = (venue.levelSources()[0], edited.levelSources()[0])
                let renderer = TileRenderer()
                // A service has read its fonts, for another floor.
                for tile in other.tiles(zoom: 19) { _ = renderer.tile(of: [other], at: tile, .init(format: .png)) }
                let start = cpuSeconds()
                let levels = (old.prepared(), new.prepared())
                let changed = try? renderer.changedTiles(from: [levels.0], to: [levels.1], TileVariant(format: format))
                times.append(1_000 * (cpuSeconds() - start))
                if case .some(.some(let tiles)) = changed { count = max(count, tiles.count) }
            }
            report([
                "name": .string("\(format): changed tiles of a new name"), "ms": .rounded(times.median),
                "worst_ms": .rounded(times.max() ?? 0), "tiles": .number(Double(count)),
            ])
        }
    }
}

/// The time that the process has used of all cores. Everything that is measured runs on one thread, and other programs may be running.
private func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
