import Foundation
import IMDF
import VenueMap

/// All tiles of a floor in one file, by the PMTiles specification, version 3.
package enum TileArchive {
    /// Deeper zooms are left out of archives with more tiles.
    package static let maximumTiles = 8_000
    /// The same for bytes, so that servers can keep an archive in memory.
    private static let maximumBytes = 60 << 20

    /// The tiles that features of levels may be on, in the order of an archive; nil if there are too many. Those between features far away
    /// from each other are left out.
    private static func tiles(of levels: [PreparedLevel], zoom: Int) -> [(id: UInt64, tile: TileAddress)]? {
        let margin = LevelPainter.margin / Double(256 << zoom)
        var tiles: Set<TileAddress> = []
        for box in levels.lazy.flatMap(\.features).flatMap(\.shape.boxes) {
            guard let own = TileAddress.tiles(of: box.insetBy(-margin), zoom: zoom, limit: self.maximumTiles) else {
                return nil
            }
            tiles.formUnion(own)
            if tiles.count > self.maximumTiles { return nil }
        }
        return tiles.map { (id: $0.hilbertID, tile: $0) }.sorted { $0.id < $1.id }
    }

    /// Draws the tiles of levels.
    ///
    /// - Parameters:
    ///   - limit: The bytes of all tiles. Zooms for which they would be more are left out, except for the first.
    ///   - isCancelled: Checked before each tile.
    package static func bytes(
        of levels: [PreparedLevel], _ variant: TileVariant, name: String, by renderer: TileRenderer,
        limit: Int = Self.maximumBytes, isCancelled: () -> Bool = { false }
    ) throws -> [UInt8] {
        let first = TileAddress.zooms.lowerBound
        var (writer, last, count) = (TileArchiveWriter(), first, 0)
        for zoom in TileAddress.zooms {
            let tiles = self.tiles(of: levels, zoom: zoom)
            count += tiles?.count ?? self.maximumTiles + 1
            guard zoom == first || count <= self.maximumTiles else { break }
            let state = writer.state
            for (id, tile) in tiles ?? [] where zoom == first || writer.dataCount <= limit {
                let bytes = try renderer.tile(of: levels, at: tile, variant, isCancelled: isCancelled)
                writer.append(id, variant.format == .mvt ? TileArchiveWriter.compressed(bytes) : bytes)
            }
            guard zoom == first || writer.dataCount <= limit else {
                writer.restore(state)
                break
            }
            last = zoom
        }
        let zooms = first...last
        var metadata: JSONObject = ["name": .string(name), "format": .string(variant.format.archiveName)]
        if variant.format == .mvt {
            metadata["vector_layers"] = .array(
                TileLayers.layers(of: levels).map { layer in
                    let fields = layer.fields.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
                    return ["id": .string(layer.name), "fields": .object(JSONObject(fields))]
                })
        }
        let bounds = levels.compactMap(\.bounds).reduce(nil as BoundingBox?) { $0?.union($1) ?? $1 }
        return writer.bytes(
            format: variant.format, zooms: zooms, bounds: bounds, metadata: CanonicalJSON.data(.object(metadata)))
    }
}

extension TileFormat {
    fileprivate var archiveName: String { self == .mvt ? "pbf" : "png" }
}

extension TileAddress {
    /// The number of the tile along the Hilbert curves of all zooms.
    package var hilbertID: UInt64 {
        var (x, y) = (self.x, self.y)
        var id = (UInt64(1) << UInt64(2 * self.zoom) - 1) / 3
        for bit in stride(from: self.zoom - 1, through: 0, by: -1) {
            let side = 1 << bit
            let (right, lower) = (x & side, y & side)
            id += UInt64((3 * right) ^ lower) << UInt64(bit)
            if lower == 0 {
                if right != 0 { (x, y) = (side - 1 - x, side - 1 - y) }
                (x, y) = (y, x)
            }
        }
        return id
    }
}
