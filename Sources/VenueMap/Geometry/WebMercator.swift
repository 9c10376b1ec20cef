import Foundation

/// The projection of map tiles: the world is a square of 2^zoom by 2^zoom tiles with its origin in the north-west.
public enum WebMercator {
    /// A point of the square, in pixels from its north-western corner.
    public struct Pixel: Hashable, Sendable {
        public let x: Double
        public let y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A tile in the XYZ scheme, counted from the west and from the north.
    public struct Tile: Hashable, Sendable {
        public let zoom: Int
        public let x: Int
        public let y: Int

        public init(zoom: Int, x: Int, y: Int) {
            self.zoom = zoom
            self.x = x
            self.y = y
        }
    }

    /// The latitude of the square's northern border. Latitudes beyond it are clamped.
    public static let maximumLatitude = 85.051_128_779_806_59
    /// The zoom levels; others are clamped.
    public static let zooms = 0...30

    /// The pixel of a position, for tiles with sides of `tileSize` pixels.
    public static func pixel(of position: Position, zoom: Int, tileSize: Int = 256) -> Pixel {
        self.pixel(of: position, zoom: Double(zoom), tileSize: tileSize)
    }

    /// The pixel of a position at a zoom between two levels, for tiles with sides of `tileSize` pixels.
    public static func pixel(of position: Position, zoom: Double, tileSize: Int = 256) -> Pixel {
        let size = self.size(zoom, tileSize)
        let fraction = self.fraction(of: position)
        return Pixel(x: fraction.x * size, y: fraction.y * size)
    }

    /// The position of a pixel. Pixels outside of the square are clamped to its border.
    public static func position(of pixel: Pixel, zoom: Int, tileSize: Int = 256) -> Position {
        self.position(of: pixel, zoom: Double(zoom), tileSize: tileSize)
    }

    /// The position of a pixel at a zoom between two levels. Pixels outside of the square are clamped to its border.
    public static func position(of pixel: Pixel, zoom: Double, tileSize: Int = 256) -> Position {
        let size = self.size(zoom, tileSize)
        let x = min(max(pixel.x / size, 0), 1)
        let y = min(max(pixel.y / size, 0), 1)
        return Position(longitude: (x - 0.5) * 360, latitude: atan(sinh((0.5 - y) * 2 * .pi)) * 180 / .pi)
    }

    /// The tile that contains a position; on a border, the eastern or southern one.
    public static func tile(of position: Position, zoom: Int) -> Tile {
        let zoom = self.clamped(zoom)
        let count = 1 << zoom
        let fraction = self.fraction(of: position)
        // The computed fraction of a border may be slightly too small because of rounding.
        let (x, y) = (fraction.x + 1e-14, fraction.y + 1e-14)
        return Tile(
            zoom: zoom, x: min(Int(x * Double(count)), count - 1), y: min(Int(y * Double(count)), count - 1))
    }

    /// The north-western corner of a tile.
    public static func corner(of tile: Tile) -> Position {
        self.position(of: Pixel(x: Double(tile.x), y: Double(tile.y)), zoom: tile.zoom, tileSize: 1)
    }

    /// The longitudes and latitudes of a tile. They do not depend on the size of tiles in pixels.
    public static func box(of tile: Tile) -> BoundingBox {
        let first = self.corner(of: tile)
        let last = self.corner(of: Tile(zoom: tile.zoom, x: tile.x + 1, y: tile.y + 1))
        return BoundingBox(
            west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude)
    }

    /// The tiles that contain a part of a rectangle, row by row from the north-west; empty if there are more than `limit`.
    public static func tiles(of box: BoundingBox, zoom: Int, limit: Int = 4_096) -> [Tile] {
        let first = self.tile(of: Position(longitude: box.west, latitude: box.north), zoom: zoom)
        let last = self.tile(of: Position(longitude: box.east, latitude: box.south), zoom: zoom)
        guard (last.x - first.x + 1).multipliedReportingOverflow(by: last.y - first.y + 1).partialValue <= limit,
            last.x - first.x < limit, last.y - first.y < limit
        else { return [] }
        return (first.y...last.y).flatMap { y in (first.x...last.x).map { Tile(zoom: first.zoom, x: $0, y: y) } }
    }

    /// The greatest zoom at which a rectangle fits into a view of that many pixels, for tiles with sides of `tileSize` pixels.
    public static func zoom(fitting box: BoundingBox, width: Double, height: Double, tileSize: Int = 256) -> Double {
        let first = self.fraction(of: Position(longitude: box.west, latitude: box.north))
        let last = self.fraction(of: Position(longitude: box.east, latitude: box.south))
        let (x, y) = (last.x - first.x, last.y - first.y)
        let scale = min(
            x > 0 ? width / x : .greatestFiniteMagnitude, y > 0 ? height / y : .greatestFiniteMagnitude)
        return self.clamped(scale > 0 ? log2(scale / Double(tileSize)) : 0)
    }

    /// The coordinates in the square, from 0 to 1.
    private static func fraction(of position: Position) -> (x: Double, y: Double) {
        let latitude = min(max(position.latitude, -self.maximumLatitude), self.maximumLatitude) * .pi / 180
        let longitude = min(max(position.longitude, -180), 180)
        let y = 0.5 - atanh(sin(latitude)) / (2 * .pi)
        return (longitude / 360 + 0.5, min(max(y, 0), 1))
    }

    /// The length of a side of the square, in pixels.
    private static func size(_ zoom: Double, _ tileSize: Int) -> Double {
        Double(tileSize) * exp2(self.clamped(zoom))
    }

    private static func clamped(_ zoom: Double) -> Double {
        min(max(zoom.isNaN ? 0 : zoom, Double(self.zooms.lowerBound)), Double(self.zooms.upperBound))
    }

    private static func clamped(_ zoom: Int) -> Int {
        min(max(zoom, self.zooms.lowerBound), self.zooms.upperBound)
    }
}
